import { expect, test } from 'vitest';
import { fakeFiles } from '../testing/fakes.ts';
import { readAmdGpus } from './amd-sysfs.ts';

const card = '/sys/class/drm/card1/device';

test('an AMD card is read from the kernel, with its sensors', async () => {
  const files = fakeFiles({
    [`${card}/vendor`]: '0x1002\n',
    [`${card}/product_name`]: 'Radeon RX 7900 XTX\n',
    [`${card}/mem_info_vram_total`]: '25753026560\n',
    [`${card}/mem_info_vram_used`]: '1234567168\n',
    [`${card}/gpu_busy_percent`]: '0\n',
    [`${card}/hwmon/hwmon4/temp1_input`]: '46000\n',
    [`${card}/hwmon/hwmon4/power1_average`]: '22400000\n',
    '/sys/class/drm/card1-DP-1/status': 'connected',
    '/sys/class/drm/version': 'drm 1.1.0',
  });
  expect(await readAmdGpus(files)).toEqual([
    {
      name: 'Radeon RX 7900 XTX',
      vramTotalBytes: 25_753_026_560,
      vramUsedBytes: 1_234_567_168,
      utilization: 0,
      temperatureC: 46,
      powerW: 22,
    },
  ]);
});

test('what the kernel does not offer is unknown', async () => {
  const files = fakeFiles({ [`${card}/vendor`]: '0x1002', [`${card}/mem_info_vram_total`]: '1024' });
  expect(await readAmdGpus(files)).toEqual([
    {
      name: 'AMD GPU',
      vramTotalBytes: 1024,
      vramUsedBytes: null,
      utilization: null,
      temperatureC: null,
      powerW: null,
    },
  ]);
});

test('other makers and machines without cards give nothing', async () => {
  const intel = fakeFiles({ [`${card}/vendor`]: '0x8086', [`${card}/mem_info_vram_total`]: '1024' });
  expect(await readAmdGpus(intel)).toEqual([]);
  expect(await readAmdGpus(fakeFiles())).toEqual([]);
});
