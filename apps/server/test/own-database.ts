import { startEmbedded } from '../src/db/embedded.ts'
import { onCluster } from './process.ts'

export type OwnDatabase = Awaited<ReturnType<typeof ownDatabase>>

/** An empty one for a suite that starts what is on it: of the cluster, by the name of this folder, or a PostgreSQL in it. */
export async function ownDatabase(folder: string) {
  const there = onCluster(folder)
  if (there) return { ...there, stop: async () => {} }
  const { url, ownerUrl, stop } = await startEmbedded(folder)
  return { url, ownerUrl, adminUrl: ownerUrl, stop }
}
