/** What lies in a package for lawyers and scanners: a bill of materials (CycloneDX) and the licences, whole. */
const fs = require('node:fs');
const path = require('node:path');

/**
 * @param {string} root of the repository, built
 * @param {string} resources of the package; `legal` is made in it
 */
function writeLegal(root, resources) {
  const facts = path.join(root, 'out', 'renderer', 'about.json');
  const { packages } = JSON.parse(fs.readFileSync(facts, 'utf8'));
  const manifest = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  const folder = path.join(resources, 'legal');
  fs.mkdirSync(folder, { recursive: true });
  const sbom = `${JSON.stringify(billOfMaterials(manifest, packages), null, 2)}\n`;
  fs.writeFileSync(path.join(folder, 'sbom.cdx.json'), sbom);
  const own = fs.readFileSync(path.join(root, 'LICENSE'), 'utf8');
  fs.writeFileSync(path.join(folder, 'licences.txt'), licenceTexts(manifest, own, packages));
}

/** @param {{ name: string, version: string, licence: string | null }[]} packages all that is shipped */
function billOfMaterials({ name, version, license }, packages) {
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: { type: 'application', 'bom-ref': name, name, version, licenses: [{ expression: license }] },
    },
    components: packages.map(componentOf),
  };
}

function componentOf(each) {
  return {
    type: 'library',
    'bom-ref': purlOf(each),
    name: each.name,
    version: each.version,
    purl: purlOf(each),
    ...(each.licence && { licenses: [{ expression: each.licence }] }),
  };
}

function purlOf({ name, version }) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

function licenceTexts({ productName, version }, own, packages) {
  const rule = '='.repeat(80);
  const parts = packages.map(({ name, version, licence, words }) =>
    [
      `${name} ${version}, ${licence ?? 'licence not named'}`,
      '',
      words ?? 'The package brings no text.',
    ].join('\n'),
  );
  return [`${productName} ${version}\n\n${own.trim()}`, ...parts].join(`\n\n${rule}\n`) + '\n';
}

module.exports = { writeLegal };
