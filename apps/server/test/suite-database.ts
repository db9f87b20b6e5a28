import { startEmbeddedPostgres } from '../src/db/embedded.ts'
import { findClusterDatabase } from './process.ts'

export type SuiteDatabase = Awaited<ReturnType<typeof startSuiteDatabase>>

/** An empty database for a suite that starts servers: on the cluster, named after this folder, or embedded in it. */
export async function startSuiteDatabase(folder: string) {
  const there = findClusterDatabase(folder)
  if (there) return { ...there, stop: async () => {} }
  const { url, ownerUrl, stop } = await startEmbeddedPostgres(folder)
  return { url, ownerUrl, adminUrl: ownerUrl, stop }
}
