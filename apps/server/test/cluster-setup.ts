import { joinMachines } from './cluster.ts'
import { databaseUrl, dropAll, ROLES, runAs } from './database.ts'
import { makeRoles } from './global-setup.ts'

/** The suites that kill servers and can do so on any database, by the name of the folder that they give their server. */
export const ON_ANY_DATABASE = [
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

/** With CITUS_URL each has an empty database on its machines, instead of the one that Voisol brings. */
export default async function setup() {
  if (!process.env.CITUS_URL) return
  const postgres = await makeRoles(process.env.CITUS_URL)
  const { run, machines, admin, owner, application } = postgres
  const databases: Record<string, object> = {}
  for (const suite of ON_ANY_DATABASE) {
    const name = `${run}_${suite}`
    for (const url of machines) await runAs(url, [`create database ${name} owner ${ROLES.owner}`])
    await joinMachines(machines, name, Object.values(ROLES))
    const [url, ownerUrl, adminUrl] = [application, owner, admin].map((one) => databaseUrl(one, name))
    databases[suite] = { url, ownerUrl, adminUrl }
  }
  process.env.TEST_CLUSTER = JSON.stringify(databases)
  return () => dropAll(postgres)
}
