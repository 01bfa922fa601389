/** Draws resources/icons from the mark. Only for whoever changes the mark: `npx node scripts/icons.mjs`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { launchChromium } from '../test/helpers/chromium.ts';
import { root } from './node.mjs';

const irons = 'M3.25 2.5v11M12.75 2.5v11M1.5 13.5h3.5M11 13.5h3.5';
const log = 'M3.25 9.25h9.5';

/** Two irons, one log, on the 16 px grid. */
const mark = (iron, ember) =>
  `<g fill="none" stroke-linecap="round" stroke-width="1.5"><path d="${irons}" stroke="${iron}"/>` +
  `<path d="${log}" stroke="${ember}" stroke-width="3" stroke-linecap="butt"/></g>`;

const tile = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">
<rect x="1" y="1" width="22" height="22" rx="5" fill="#1a1817"/>
<g transform="translate(4 4)">${mark('#ede9e4', '#e97a43')}</g></svg>`;
/** macOS colours a template image itself and reads only its alpha. */
const template = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">${mark('#000', '#000')}</svg>`;

const folder = join(root, 'resources', 'icons');
const browser = await launchChromium();
const page = await browser.newPage();

async function draw(svg, size) {
  await page.setViewportSize({ width: size, height: size });
  const image = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
  await page.setContent(`<style>*{margin:0}</style><img src="${image}" width="${size}" height="${size}">`);
  return page.screenshot({ omitBackground: true });
}

/** PNGs inside, as Windows has read since Vista. It takes the one that fits the scale of the screen. */
function ico(images) {
  const entryLength = 16;
  const header = Buffer.alloc(6 + images.length * entryLength);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(images.length, 4);
  let offset = header.length;
  for (const [index, { size, png }] of images.entries()) {
    const entry = 6 + index * entryLength;
    // 0 means 256.
    header.writeUInt8(size % 256, entry);
    header.writeUInt8(size % 256, entry + 1);
    header.writeUInt16LE(1, entry + 4);
    header.writeUInt16LE(32, entry + 6);
    header.writeUInt32LE(png.length, entry + 8);
    header.writeUInt32LE(offset, entry + 12);
    offset += png.length;
  }
  return Buffer.concat([header, ...images.map(({ png }) => png)]);
}

async function drawIco(sizes) {
  const images = [];
  for (const size of sizes) images.push({ size, png: await draw(tile, size) });
  return ico(images);
}

writeFileSync(join(folder, 'icon.svg'), tile);
writeFileSync(join(folder, 'icon.png'), await draw(tile, 1024));
writeFileSync(join(folder, 'icon.ico'), await drawIco([256]));
writeFileSync(join(folder, 'tray.ico'), await drawIco([16, 20, 24, 32]));
writeFileSync(join(folder, 'tray.png'), await draw(tile, 32));
writeFileSync(join(folder, 'trayTemplate.png'), await draw(template, 16));
writeFileSync(join(folder, 'trayTemplate@2x.png'), await draw(template, 32));
await browser.close();
