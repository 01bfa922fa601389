/** Certificates for TLS on the local network: programs trust one authority, which signs for whatever addresses there are. */
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';

/** Both as PEM. The certificate is for everybody, the key for nobody. */
export interface KeyedCertificate {
  certificate: string;
  key: string;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const dayMs = 24 * 60 * 60 * 1000;
const authorityDays = 3650;
/** Longer than some clients take. */
const serverDays = 390;

/** It may sign certificates of servers, and none of other authorities. */
export async function createAuthority(now: number): Promise<KeyedCertificate> {
  const keys = await createKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    ...validity(now, authorityDays),
    // Another name than its servers have, or their certificates would seem to be signed by themselves.
    name: [{ CN: ['Andiron authority'] }],
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate: certificate.toString('pem'), key: await keyText(keys.privateKey) };
}

/** @param addresses that the server is reached at; @param names likewise */
export async function issueCertificate(
  authority: KeyedCertificate,
  { addresses, names }: { addresses: readonly string[]; names: readonly string[] },
  now: number,
): Promise<KeyedCertificate> {
  const signer = new x509.X509Certificate(authority.certificate);
  const keys = await createKeys();
  const certificate = await x509.X509CertificateGenerator.create({
    ...validity(now, serverDays),
    subject: [{ CN: ['Andiron gateway'] }],
    issuer: signer.subjectName,
    publicKey: keys.publicKey,
    signingKey: await readKey(authority.key),
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension([
        ...names.map((value) => ({ type: 'dns' as const, value })),
        ...addresses.map((value) => ({ type: 'ip' as const, value })),
      ]),
      await x509.AuthorityKeyIdentifierExtension.create(signer),
    ],
  });
  return { certificate: certificate.toString('pem'), key: await keyText(keys.privateKey) };
}

const createKeys = () => crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);

/** From the day before, for clocks that are behind. */
const validity = (now: number, days: number): { notBefore: Date; notAfter: Date } => ({
  notBefore: new Date(now - dayMs),
  notAfter: new Date(now + days * dayMs),
});

type Key = Parameters<typeof crypto.subtle.exportKey>[1];

async function keyText(key: Key): Promise<string> {
  return x509.PemConverter.encode(await crypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');
}

function readKey(text: string): Promise<Key> {
  return crypto.subtle.importKey('pkcs8', x509.PemConverter.decodeFirst(text), algorithm, false, ['sign']);
}
