/**
 * Work of a long-lived process that has a client of its own: a client halts for good when the platform's clock or
 * signatures are wrong (N8, N15), and the next work must be able to find that they are right again.
 */
import { lazyPlatform } from '../context/context.ts';
import type { Context } from '../context/context.ts';

/** The client is opened when the work first asks for it, and closed when the work has ended. */
export async function withOwnPlatform<T>(
  context: Context,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  const platform = lazyPlatform(context, context.db, context.signal);
  try {
    return await work({ ...context, platform: platform.open });
  } finally {
    await platform.close();
  }
}
