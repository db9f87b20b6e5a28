import { randomUUID } from 'node:crypto'
import type { Candidate, ProjectStep, Roof } from '@voisol/contract/projects'
import { and, asc, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { projectCandidates, projectNotes, projectRoofs, projectSteps } from '../../../db/schema/index.ts'

export type RoofLine = z.output<typeof Roof>
export type CandidateLine = z.output<typeof Candidate>
export type StepLine = z.output<typeof ProjectStep>
export type Lists = { roofs: RoofLine[]; candidates: CandidateLine[]; steps: StepLine[] }
type Of = { companyId: number; id: string }
type Listed = typeof projectRoofs | typeof projectCandidates | typeof projectSteps | typeof projectNotes

const belongs = (table: Listed, { companyId, id }: Of) => and(eq(table.companyId, companyId), eq(table.projectId, id))

const readRoofs = (db: Db, of: Of) =>
  db
    .select({
      building: projectRoofs.building,
      peakWatts: projectRoofs.peakWatts,
      azimuth: projectRoofs.azimuth,
      tilt: projectRoofs.tilt,
      latitude: projectRoofs.latitude,
      longitude: projectRoofs.longitude,
    })
    .from(projectRoofs)
    .where(belongs(projectRoofs, of))
    .orderBy(asc(projectRoofs.id))

const readCandidates = (db: Db, of: Of) =>
  db
    .select({
      name: projectCandidates.name,
      email: projectCandidates.email,
      kind: projectCandidates.kind,
      prm: projectCandidates.prm,
      profile: projectCandidates.profile,
      yearlyKwh: projectCandidates.yearlyKwh,
      pointId: projectCandidates.pointId,
      latitude: projectCandidates.latitude,
      longitude: projectCandidates.longitude,
    })
    .from(projectCandidates)
    .where(belongs(projectCandidates, of))
    .orderBy(asc(projectCandidates.id))

const readSteps = (db: Db, of: Of) =>
  db
    .select({ title: projectSteps.title, dueOn: projectSteps.dueOn, doneOn: projectSteps.doneOn })
    .from(projectSteps)
    .where(belongs(projectSteps, of))
    .orderBy(asc(projectSteps.position))

export async function readLists(db: Db, of: Of): Promise<Lists> {
  const roofs = await readRoofs(db, of)
  const candidates = (await readCandidates(db, of)) as CandidateLine[] // texts hold what the contract let in
  return { roofs, candidates, steps: await readSteps(db, of) }
}

/** Ids that sort as the lines stand: the order in which people wrote them is part of what they wrote. */
const inOrder = (position: number) => position.toString(16).padStart(8, '0') + randomUUID().slice(8)

const keyed = <T extends object>({ companyId, id }: Of, lines: T[]) =>
  lines.map((line, position) => ({ ...line, companyId, projectId: id, id: inOrder(position), position }))

const CHUNK = 1000
const chunks = <T>(rows: T[]) =>
  Array.from({ length: Math.ceil(rows.length / CHUNK) }, (_, n) => rows.slice(n * CHUNK, (n + 1) * CHUNK))

export async function replaceLists(tx: Db, of: Of, { roofs, candidates, steps }: Lists) {
  for (const table of [projectRoofs, projectCandidates, projectSteps]) await tx.delete(table).where(belongs(table, of))
  for (const rows of chunks(keyed(of, roofs))) await tx.insert(projectRoofs).values(rows)
  for (const rows of chunks(keyed(of, candidates))) await tx.insert(projectCandidates).values(rows)
  for (const rows of chunks(keyed(of, steps))) await tx.insert(projectSteps).values(rows)
}

export async function readNotes(db: Db, of: Of) {
  const rows = await db
    .select()
    .from(projectNotes)
    .where(belongs(projectNotes, of))
    .orderBy(asc(projectNotes.createdAt))
  return rows
    .map(({ id, text, author, createdAt }) => ({ id, text, author, createdAt: createdAt.toISOString() }))
    .reverse()
}
