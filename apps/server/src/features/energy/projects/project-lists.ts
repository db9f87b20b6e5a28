import { randomUUID } from 'node:crypto'
import type { Candidate, ProjectStep, Roof } from '@voisol/contract/projects'
import { and, asc, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { projectCandidates, projectNotes, projectRoofs, projectSteps } from '../../../db/schema/index.ts'

export type RoofLine = z.output<typeof Roof>
export type CandidateLine = z.output<typeof Candidate>
type StepLine = z.output<typeof ProjectStep>
export type ProjectLists = { roofs: RoofLine[]; candidates: CandidateLine[]; steps: StepLine[] }
type ProjectRef = { companyId: number; id: string }
type ProjectListTable = typeof projectRoofs | typeof projectCandidates | typeof projectSteps | typeof projectNotes

const belongsToProject = (table: ProjectListTable, { companyId, id }: ProjectRef) =>
  and(eq(table.companyId, companyId), eq(table.projectId, id))

const loadRoofs = (db: Db, of: ProjectRef) =>
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
    .where(belongsToProject(projectRoofs, of))
    .orderBy(asc(projectRoofs.id))

const loadCandidates = (db: Db, of: ProjectRef) =>
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
    .where(belongsToProject(projectCandidates, of))
    .orderBy(asc(projectCandidates.id))

const loadSteps = (db: Db, of: ProjectRef) =>
  db
    .select({ title: projectSteps.title, dueOn: projectSteps.dueOn, doneOn: projectSteps.doneOn })
    .from(projectSteps)
    .where(belongsToProject(projectSteps, of))
    .orderBy(asc(projectSteps.position))

export async function loadProjectLists(db: Db, of: ProjectRef): Promise<ProjectLists> {
  const roofs = await loadRoofs(db, of)
  const candidates = (await loadCandidates(db, of)) as CandidateLine[] // texts hold what the contract validated
  return { roofs, candidates, steps: await loadSteps(db, of) }
}

/** Ids that sort by line position, to keep the order in which lines were written. */
const createOrderedId = (position: number) => position.toString(16).padStart(8, '0') + randomUUID().slice(8)

const toListRows = <T extends object>({ companyId, id }: ProjectRef, lines: T[]) =>
  lines.map((line, position) => ({ ...line, companyId, projectId: id, id: createOrderedId(position), position }))

const ROWS_PER_INSERT = 1000
const splitIntoChunks = <T>(rows: T[]) =>
  Array.from({ length: Math.ceil(rows.length / ROWS_PER_INSERT) }, (_, n) =>
    rows.slice(n * ROWS_PER_INSERT, (n + 1) * ROWS_PER_INSERT),
  )

export async function replaceProjectLists(tx: Db, of: ProjectRef, { roofs, candidates, steps }: ProjectLists) {
  for (const table of [projectRoofs, projectCandidates, projectSteps])
    await tx.delete(table).where(belongsToProject(table, of))
  for (const rows of splitIntoChunks(toListRows(of, roofs))) await tx.insert(projectRoofs).values(rows)
  for (const rows of splitIntoChunks(toListRows(of, candidates))) await tx.insert(projectCandidates).values(rows)
  for (const rows of splitIntoChunks(toListRows(of, steps))) await tx.insert(projectSteps).values(rows)
}

export async function loadProjectNotes(db: Db, of: ProjectRef) {
  const rows = await db
    .select()
    .from(projectNotes)
    .where(belongsToProject(projectNotes, of))
    .orderBy(asc(projectNotes.createdAt))
  return rows
    .map(({ id, text, author, createdAt }) => ({ id, text, author, createdAt: createdAt.toISOString() }))
    .reverse()
}
