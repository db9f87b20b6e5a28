import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../src/db/client.ts'
import { startEmbedded } from '../src/db/embedded.ts'
import { SUPERUSER } from '../src/db/embedded-connection.ts'
import type { Deps } from '../src/deps.ts'
import { startQueue, stopQueue } from '../src/jobs/queue.ts'
import { jobs } from '../src/jobs/registry.ts'
import { prepareDatabase } from '../src/prepare-database.ts'
import { joinMachines, leaveAlone, machinesOf } from './cluster.ts'
import { asRole, databaseUrl, dropAll, forgetDurability, type Postgres, ROLES, runAs, TEMPLATE } from './database.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: Postgres
  }
}

/** One PostgreSQL for the whole run (embedded, or TEST_DATABASE_URL); each test file gets a copy of a migrated template. */
export default async function setup(project: TestProject) {
  const folder = mkdtempSync(join(tmpdir(), 'voisol-test-'))
  chmodSync(folder, 0o755) // as root, PostgreSQL runs under another account that must reach its folder
  const embedded = process.env.TEST_DATABASE_URL ? undefined : await startEmbedded(join(folder, 'postgres'))
  const admin = process.env.TEST_DATABASE_URL ?? asRole(embedded?.url ?? '', SUPERUSER)
  if (embedded) await forgetDurability(admin)
  const postgres = await makeRoles(admin)
  await makeTemplate(postgres)
  project.provide('postgres', postgres)
  return async () => {
    await (embedded ? embedded.stop() : dropAll(postgres))
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Passwords of this run alone: the server may be one that others reach. */
export async function makeRoles(admin: string): Promise<Postgres> {
  const [owner, application] = [randomBytes(12).toString('hex'), randomBytes(12).toString('hex')]
  const make = (role: string, password: string) => [
    `do $$ begin create role ${role}; exception when duplicate_object then null; end $$`,
    `alter role ${role} login nosuperuser nocreatedb nocreaterole password '${password}'`,
  ]
  await runAs(admin, [...make(ROLES.owner, owner), ...make(ROLES.application, application)])
  return {
    admin,
    owner: asRole(admin, ROLES.owner, owner),
    application: asRole(admin, ROLES.application, application),
    run: `voisol_${randomBytes(4).toString('hex')}`,
    machines: await machinesOf(admin),
  }
}

/** The tables, and the queues of the jobs, which would otherwise be made again at every start. */
async function makeTemplate({ owner, application, machines }: Postgres) {
  const make = [`drop database if exists ${TEMPLATE} with (force)`, `create database ${TEMPLATE} owner ${ROLES.owner}`]
  for (const url of machines) await runAs(url, make)
  await joinMachines(machines, TEMPLATE, Object.values(ROLES))
  const url = databaseUrl(application, TEMPLATE)
  const db = openDatabase(url, 2)
  await prepareDatabase(db, { url, ownerUrl: databaseUrl(owner, TEMPLATE) })
  const deps = { db, aside: db, log: pino({ level: 'silent' }) } as unknown as Deps // all that a queue without work uses
  await stopQueue(await startQueue(deps, url, jobs, false))
  await db.$client.end()
  await leaveAlone(machines, TEMPLATE)
}
