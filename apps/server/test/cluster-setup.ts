import { joinMachines } from './cluster.ts'
import { buildDatabaseUrl, dropTestDatabases, runAs, TEST_ROLES } from './database.ts'
import { createTestRoles } from './global-setup.ts'

/** Test suites that kill servers and can run on any database, by the name of their server's folder. */
export const CLUSTER_SUITES = [
  'import',
  'allocation',
  'sync',
  'billing',
  'events',
  'killed',
  'hung',
  'files',
  'pooled',
  'rolling',
]

/** With CITUS_URL each gets an empty database on those machines, instead of the embedded one. */
export default async function setup() {
  if (!process.env.CITUS_URL) return
  const postgres = await createTestRoles(process.env.CITUS_URL)
  const { run, machines, admin, owner, application } = postgres
  const databases: Record<string, object> = {}
  for (const suite of CLUSTER_SUITES) {
    const name = `${run}_${suite}`
    for (const url of machines) await runAs(url, [`create database ${name} owner ${TEST_ROLES.owner}`])
    await joinMachines(machines, name, Object.values(TEST_ROLES))
    const [url, ownerUrl, adminUrl] = [application, owner, admin].map((one) => buildDatabaseUrl(one, name))
    databases[suite] = { url, ownerUrl, adminUrl }
  }
  process.env.TEST_CLUSTER = JSON.stringify(databases)
  return () => dropTestDatabases(postgres)
}
