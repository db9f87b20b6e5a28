import { startEmbeddedPostgres } from '../src/db/embedded.ts'
import { findClusterDatabase } from './process.ts'

export type SuiteDatabase = Awaited<ReturnType<typeof startSuiteDatabase>>

/** An empty one for a suite that starts what is on it: of the cluster, by the name of this folder, or a PostgreSQL in it. */
export async function startSuiteDatabase(folder: string) {
  const there = findClusterDatabase(folder)
  if (there) return { ...there, stop: async () => {} }
  const { url, ownerUrl, stop } = await startEmbeddedPostgres(folder)
  return { url, ownerUrl, adminUrl: ownerUrl, stop }
}
