import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../src/db/client.ts'
import { startEmbeddedPostgres } from '../src/db/embedded.ts'
import { SUPERUSER_ROLE } from '../src/db/embedded-cluster.ts'
import type { Deps } from '../src/deps.ts'
import { startQueue, stopQueue } from '../src/jobs/queue.ts'
import { jobs } from '../src/jobs/registry.ts'
import { prepareDatabase } from '../src/prepare-database.ts'
import { closeDatabaseToClients, joinMachines, listClusterMachines } from './cluster.ts'
import {
  buildDatabaseUrl,
  disableDurability,
  dropTestDatabases,
  replaceRole,
  runAs,
  TEMPLATE_DATABASE,
  TEST_ROLES,
  type TestPostgres,
} from './database.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: TestPostgres
  }
}

/**
 * One PostgreSQL for the whole run (embedded, or TEST_DATABASE_URL); each test file gets a copy of a migrated template.
 */
export default async function setup(project: TestProject) {
  const folder = mkdtempSync(join(tmpdir(), 'voisol-test-'))
  chmodSync(folder, 0o755) // as root, PostgreSQL runs under another account that must reach its folder
  const embedded = process.env.TEST_DATABASE_URL ? undefined : await startEmbeddedPostgres(join(folder, 'postgres'))
  const admin = process.env.TEST_DATABASE_URL ?? replaceRole(embedded?.url ?? '', SUPERUSER_ROLE)
  if (embedded) await disableDurability(admin)
  const postgres = await createTestRoles(admin)
  await createTemplateDatabase(postgres)
  project.provide('postgres', postgres)
  return async () => {
    await (embedded ? embedded.stop() : dropTestDatabases(postgres))
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Random passwords for this run: others may reach the server. */
export async function createTestRoles(admin: string): Promise<TestPostgres> {
  const [owner, application] = [randomBytes(12).toString('hex'), randomBytes(12).toString('hex')]
  const make = (role: string, password: string) => [
    `do $$ begin create role ${role}; exception when duplicate_object then null; end $$`,
    `alter role ${role} login nosuperuser nocreatedb nocreaterole password '${password}'`,
  ]
  await runAs(admin, [...make(TEST_ROLES.owner, owner), ...make(TEST_ROLES.application, application)])
  return {
    admin,
    owner: replaceRole(admin, TEST_ROLES.owner, owner),
    application: replaceRole(admin, TEST_ROLES.application, application),
    run: `voisol_${randomBytes(4).toString('hex')}`,
    machines: await listClusterMachines(admin),
  }
}

/** The tables, and the job queues, which would otherwise be created at every start. */
async function createTemplateDatabase({ owner, application, machines }: TestPostgres) {
  const make = [
    `drop database if exists ${TEMPLATE_DATABASE} with (force)`,
    `create database ${TEMPLATE_DATABASE} owner ${TEST_ROLES.owner}`,
  ]
  for (const url of machines) await runAs(url, make)
  await joinMachines(machines, TEMPLATE_DATABASE, Object.values(TEST_ROLES))
  const url = buildDatabaseUrl(application, TEMPLATE_DATABASE)
  const db = openDatabase(url, 2)
  await prepareDatabase(db, { url, ownerUrl: buildDatabaseUrl(owner, TEMPLATE_DATABASE) })
  const deps = { db, aside: db, log: pino({ level: 'silent' }) } as unknown as Deps // what a queue without workers uses
  await stopQueue(await startQueue(deps, url, jobs, false))
  await db.$client.end()
  await closeDatabaseToClients(machines, TEMPLATE_DATABASE)
}
