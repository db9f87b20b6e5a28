import { sleep, waitForProcessExit } from '../src/db/embedded-process.ts'
import { listClusterMachines, withMachineDown } from './cluster.ts'
import { findClusterDatabase, readPostmaster } from './process.ts'

/** Long enough for every writer to be affected. */
const OUTAGE_MS = 1000

/** Kills PostgreSQL during work; on a cluster, one machine after the other closes the connections to this database. */
export async function crashPostgres(dataDir: string, n: number) {
  const there = findClusterDatabase(dataDir)
  if (!there) {
    const { pid } = await readPostmaster(dataDir)
    process.kill(pid, 'SIGKILL')
    return waitForProcessExit(pid, 5000)
  }
  const machines = await listClusterMachines(process.env.CITUS_URL ?? '')
  await withMachineDown(there, machines[n % machines.length] ?? '', () => sleep(OUTAGE_MS))
}
