import { describe, expect, test } from 'vitest';
import { withoutAppDir } from './app-dir.ts';

const dir = '/tmp/.mount_Andiron';
const image = { APPDIR: dir, APPIMAGE: '/home/ann/Andiron.AppImage' };

describe('What is started from an AppImage has (desk-F9)', () => {
  test.each([
    ['the PATH of the machine', { PATH: `${dir}:${dir}/usr/sbin:/usr/bin:/bin` }, { PATH: '/usr/bin:/bin' }],
    ['no folder of the mount in the middle of a list', { PATH: `/a:${dir}/bin:/b` }, { PATH: '/a:/b' }],
    [
      'the libraries of the machine',
      { LD_LIBRARY_PATH: `${dir}/usr/lib:/opt/cuda/lib` },
      { LD_LIBRARY_PATH: '/opt/cuda/lib' },
    ],
    ['no list of libraries where there was none', { LD_LIBRARY_PATH: `${dir}/usr/lib:` }, {}],
    [
      'the data folders of the desktop',
      { XDG_DATA_DIRS: `${dir}/usr/share:/usr/share` },
      { XDG_DATA_DIRS: '/usr/share' },
    ],
    ['no schemas of the mount', { GSETTINGS_SCHEMA_DIR: `${dir}/usr/share/glib-2.0/schemas` }, {}],
    [
      'schemas of the person where there are some',
      { GSETTINGS_SCHEMA_DIR: `${dir}/s:/opt/s` },
      { GSETTINGS_SCHEMA_DIR: '/opt/s' },
    ],
    ['nothing that names the image', { ARGV0: 'Andiron.AppImage', OWD: '/home/ann' }, {}],
    [
      'a folder whose name only begins like the mount',
      { PATH: `${dir}2/bin:/bin` },
      { PATH: `${dir}2/bin:/bin` },
    ],
    ['an empty entry that was there before, where nothing leaves', { PATH: '/bin:' }, { PATH: '/bin:' }],
    [
      'addresses and words as they are',
      { URL: 'http://a:1/b', GREETING: 'a:b' },
      { URL: 'http://a:1/b', GREETING: 'a:b' },
    ],
    ['no variable that had no value', { EMPTY: undefined }, {}],
  ])('%s', (_what, env, expected) => {
    expect(withoutAppDir({ ...image, ...env })).toEqual(expected);
  });

  test('the same with a slash behind the mount', () => {
    expect(withoutAppDir({ ...image, APPDIR: `${dir}/`, PATH: `${dir}/bin:/bin` })).toEqual({ PATH: '/bin' });
  });
});

describe('Nothing is left out (desk-F9)', () => {
  test.each([
    ['where nothing says that this is an AppImage', { PATH: `${dir}/bin:/bin` }],
    ['where a folder is named and no image', { APPDIR: '/srv/app', PATH: '/srv/app/bin:/bin' }],
    ['where an image is named and no folder', { APPIMAGE: '/a.AppImage', PATH: '/bin', OWD: '/' }],
    ['where the folder is empty', { APPDIR: '', APPIMAGE: '/a.AppImage', PATH: '/bin' }],
    ['where the folder is the whole machine', { APPDIR: '/', APPIMAGE: '/a.AppImage', PATH: '/bin' }],
    ['where the folder is no path', { APPDIR: 'app', APPIMAGE: '/a.AppImage', PATH: 'app:/bin' }],
  ])('%s', (_where, env) => {
    expect(withoutAppDir(env)).toEqual(env);
  });
});
