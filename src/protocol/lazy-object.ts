/** Schemas that are made when they are first asked for. */
import { z } from 'zod';

/**
 * As `z.object`: a host would else make more than a thousand of them before it serves anybody, and most of them say what
 * it answers, which nobody parses in it.
 */
export const lazyObject = <Shape extends z.core.$ZodShape>(shape: () => Shape) =>
  z.lazy(() => z.object(shape()));
