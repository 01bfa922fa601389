import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

// A busy machine is slow.
configure({ asyncUtilTimeout: 60_000 });
afterEach(cleanup);
