/** Ways to write an address of this computer, of its network or of nothing, so that it reads like something else. */

export interface AddressForm {
  kind: string;
  url: string;
}

const octets = [127, 0, 0, 1] as const;
type Octets = readonly [number, number, number, number];
const asNumber = ([a, b, c, d]: Octets): number => ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
const hex = (value: number, length = 0): string => value.toString(16).padStart(length, '0');

/** Numbers of four parts or fewer, each in one of three bases. */
function numberForms([a, b, c, d]: Octets): string[] {
  const whole = asNumber([a, b, c, d]);
  const bases = [String, (n: number) => `0${n.toString(8)}`, (n: number) => `0x${hex(n)}`];
  return bases.flatMap((one) => [
    one(whole),
    `${one(a)}.${one(whole & 0xff_ff_ff)}`,
    `${one(a)}.${one(b)}.${one(whole & 0xff_ff)}`,
    ...bases.map((other) => [one(a), other(b), one(c), other(d)].join('.')),
  ]);
}

/** The same digits in other scripts and widths, which a URL takes for those of ASCII. */
function unicodeForms(text: string): string[] {
  const from = (zero: number): string =>
    text.replaceAll(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
  const dots = ['。', '．', '｡'].map((dot) => text.replaceAll('.', dot));
  return [from(0xff10), from(0x1d7ce), from(0x1d7d8), from(0x1d7e2), from(0x1d7ec), from(0x1d7f6), ...dots];
}

/** IPv4 within IPv6: mapped, compatible, translated, 6to4, NAT64, Teredo and ISATAP. */
function embeddedForms([a, b, c, d]: Octets): string[] {
  const [high, low] = [hex((a << 8) | b), hex((c << 8) | d)];
  const dotted = `${String(a)}.${String(b)}.${String(c)}.${String(d)}`;
  const inverted = [hex(((a << 8) | b) ^ 0xff_ff), hex(((c << 8) | d) ^ 0xff_ff)];
  return [
    `::ffff:${dotted}`,
    `::ffff:${high}:${low}`,
    `0:0:0:0:0:ffff:${high}:${low}`,
    `::${dotted}`,
    `::${high}:${low}`,
    `::ffff:0:${dotted}`,
    `64:ff9b::${dotted}`,
    `64:ff9b::${high}:${low}`,
    `64:ff9b:1::${high}:${low}`,
    `2002:${high}:${low}::`,
    `2002:${high}:${low}::1`,
    `2001:0:4136:e378:8000:63bf:${inverted.join(':')}`,
    `2001:4860::5efe:${high}:${low}`,
    `2001:4860::200:5efe:${high}:${low}`,
    `fe80::5efe:${high}:${low}`,
  ].map((address) => `[${address}]`);
}

const insides: Octets[] = [
  octets,
  [127, 9, 8, 7],
  [10, 0, 0, 1],
  [192, 168, 1, 1],
  [172, 16, 0, 1],
  [169, 254, 169, 254],
];
const others = [
  '[::1]', '[0:0:0:0:0:0:0:1]', '[::]', '[0000::0001]', '[fe80::1]', '[fe80::1%25eth0]', '[fe80::1%eth0]', '[fc00::1]',
  '[fd00:ec2::254]', '[fec0::1]', '[ff02::1]', '[100::1]', '[2001:db8::1]', '[2001:10::1]', '[::1%25lo]', '[3fff::1]',
  '0', '0.0.0.0', '0x0', '00', '255.255.255.255', '224.0.0.1', '240.0.0.1', '100.64.0.1', '192.0.0.1', '192.0.2.1',
  '198.18.0.1', '198.51.100.1', '203.0.113.1', 'localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'lOcAlHoSt',
  'localhost..', 'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ', 'loc\u00adalhost', 'x.localhost.', '127.1', '127.0.1', '0177.1', '0x7f.1',
]; // prettier-ignore

const form = (kind: string, url: string): AddressForm => ({ kind, url });

/** With what stands around a host: its port, its case, a dot at its end, a name and a password before it. */
function around(host: string, port: number): AddressForm[] {
  const at = `${host}:${String(port)}`;
  return [
    form('plain', `http://${at}/`),
    form('credentials', `http://user:pass@${at}/`),
    form('a name before it', `http://example.com@${at}/`),
    ...(host.startsWith('[') ? [] : [form('a dot at its end', `http://${host}.:${String(port)}/`)]),
  ];
}

/** @param random of a seed, for the part that is drawn anew each time */
export function addressForms(port: number, random: () => number): AddressForm[] {
  const part = (): number => Math.floor(random() * 256);
  const drawn = Array.from({ length: 12 }, (): Octets => [127, part(), part(), part()]);
  const hosts = [...insides, ...drawn].flatMap((each) => [...numberForms(each), ...embeddedForms(each)]);
  const written = unicodeForms('127.0.0.1');
  const spelled = [...hosts, ...others, ...written].flatMap((host) => around(host, port));
  const at = String(port);
  const twisted = [
    `http:127.0.0.1:${at}/`,
    `http:/127.0.0.1:${at}/`,
    `http:\\\\127.0.0.1:${at}\\`,
    `http://example.com\\@127.0.0.1:${at}/`,
    `http://127.0.0.1:${at}\\@example.com/`,
    `http://127.0.0.1:${at}#@example.com/`,
    `http://example.com:80@127.0.0.1:${at}/`,
    `http://1２7.0.0.1:${at}/`,
    `http://127%2e0%2e0%2e1:${at}/`,
    `http://%31%32%37.0.0.1:${at}/`,
    `http://\t127.0.0.1:${at}/`,
    `http://127.0.0\n.1:${at}/`,
    ` http://127.0.0.1:${at}/`,
    `HTTP://127.0.0.1:${at}/`,
    `//127.0.0.1:${at}/`,
    `127.0.0.1:${at}/`,
    `file:///etc/passwd`,
    `ftp://127.0.0.1:${at}/`,
    `gopher://127.0.0.1:${at}/`,
    `data:text/html,<p>hi`,
    `javascript:fetch('http://127.0.0.1:${at}/')`,
    `view-source:http://127.0.0.1:${at}/`,
    `blob:http://127.0.0.1:${at}/x`,
    `jar:http://127.0.0.1:${at}!/`,
    `http://[::ffff:127.0.0.1`,
    `http://[127.0.0.1]:${at}/`,
    `http://127.0.0.1.1:${at}/`,
    `http://256.0.0.1:${at}/`,
    `http://127.0.0.1:99999/`,
    '',
  ].map((url) => ({ kind: 'twisted', url }));
  return [...spelled, ...twisted];
}
