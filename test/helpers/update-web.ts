/** Version 0.2.0 on the server of releases, as the stub of Electron reaches it. */
import { signFeed } from '../../scripts/feed-signing.ts';
import { feedFileName } from '../../src/main/updates/feed.ts';
import { releaseChannel, releaseUrl } from '../../src/main/updates/release-source.ts';
import { electron } from './electron-stub.ts';
import { feedText, privateKey, signedAt } from './update-server.ts';

export function publishToWeb(platform: NodeJS.Platform, extension: string, content: Buffer): void {
  const name = feedFileName(releaseChannel, platform, process.arch);
  const feed = feedText('0.2.0', content, { url: `Andiron-0.2.0.${extension}` });
  electron.web.set(`${releaseUrl}/${name}`, feed);
  electron.web.set(`${releaseUrl}/${name}.sig`, signFeed(name, Buffer.from(feed), privateKey, signedAt));
  electron.web.set(`${releaseUrl}/Andiron-0.2.0.${extension}`, content);
}
