import { isGone, pause } from '../src/db/embedded-process.ts'
import { machinesOf } from './cluster.ts'
import { whileAway } from './cluster-machines.ts'
import { onCluster, postmaster } from './process.ts'

/** Long enough for every writer to notice. */
const AWAY_MS = 1000

/** PostgreSQL is killed at its work; of a cluster, one machine after the other cuts off all who work in this database. */
export async function crash(dataDir: string, n: number) {
  const there = onCluster(dataDir)
  if (!there) {
    const { pid } = await postmaster(dataDir)
    process.kill(pid, 'SIGKILL')
    return isGone(pid, 5000)
  }
  const machines = await machinesOf(process.env.CITUS_URL ?? '')
  await whileAway(there, machines[n % machines.length] ?? '', () => pause(AWAY_MS))
}
