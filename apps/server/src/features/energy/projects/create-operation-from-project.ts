import { OperationDraft } from '@voisol/contract/operations'
import type { ProjectDetail } from '@voisol/contract/projects'
import type { Db } from '../../../db/client.ts'
import { projects } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { createOperation } from '../operations/index.ts'
import { splitProportionally } from './compute-study.ts'
import type { CandidateLine } from './project-lists.ts'
import { isThisProject, lockProject } from './project-queries.ts'
import { PROJECT_STATUS_LABELS } from './project-status.ts'

const MAX_DESCRIPTION_LENGTH = 2000
const formatKwc = (watts: number) => `${String(Math.round(watts / 100) / 10).replace('.', ',')}\u00a0kWc`

/** A roof has no PRM before it is connected, so the description names those still to be added. */
function buildDescription({ description, roofs }: ProjectDetail): string {
  const coming = roofs.map(({ building, peakWatts }) => `${building} (${formatKwc(peakWatts)})`).join(', ')
  const sentence = coming && `Toitures à ajouter comme producteurs quand leur PRM est connu\u00a0: ${coming}.`
  const text = [description, sentence].filter(Boolean).join('\n\n')
  return text.length > MAX_DESCRIPTION_LENGTH ? `${text.slice(0, MAX_DESCRIPTION_LENGTH - 1)}…` : text
}

const toParticipantLine = ({ name, email, kind, prm, latitude, longitude }: CandidateLine) => ({
  name,
  kind,
  prm,
  latitude,
  longitude,
  ...(email && { email }),
})

/** The key of the study, for candidates with a PRM. */
function buildFirstKey(method: ProjectDetail['method'], members: CandidateLine[]) {
  if (!members.length || method === 'default' || method === 'equal') return { method, shares: [] }
  const shares = splitProportionally(members.map(({ yearlyKwh }) => yearlyKwh))
  return {
    method,
    shares: members.map(({ prm }, at) => ({
      prm,
      ...(method === 'static' ? { share: shares[at] ?? 0 } : { rank: at + 1 }),
    })),
  }
}

function buildOperationDraft(project: ProjectDetail, members: CandidateLine[], startsOn: string) {
  const { name, address, postalCode, city, latitude, longitude, perimeter, zone, localPrice, method } = project
  return OperationDraft.parse({
    name,
    address,
    postalCode,
    city,
    latitude,
    longitude,
    perimeter,
    zone,
    startsOn,
    description: buildDescription(project),
    capacity: project.peakWatts / 1000,
    unitPrice: localPrice,
    participants: members.map(toParticipantLine),
    // Fixed shares and ranks need at least one member.
    key: members.length ? buildFirstKey(method, members) : null,
  })
}

function requireReadyForOperation({ status, findings }: ProjectDetail) {
  if (status !== 'agreement')
    throw new AppError('invalid-transition', {
      message: `L’opération se crée quand le projet est à l’état «\u00a0${PROJECT_STATUS_LABELS.agreement}\u00a0».`,
    })
  const refused = findings.filter(({ severity }) => severity === 'refused')
  if (refused.length)
    throw new AppError('conflict', { message: refused.map(({ message, rule }) => `${message} (${rule})`).join(' ') })
}

/** Names the person of a refused line. */
function nameRefusedParticipants(error: unknown, members: CandidateLine[]): unknown {
  if (!(error instanceof AppError) || !error.issues?.length) return error
  const messages = error.issues.map(({ path, message }) => {
    const [list, at] = path.split('.')
    const member = list === 'participants' ? members[Number(at)] : undefined
    return member ? `${member.name}\u00a0: ${message}` : message
  })
  return new AppError(error.code, { message: messages.slice(0, 3).join(' ') })
}

export async function createOperationFromProject(
  tx: Db,
  actor: Actor,
  id: string,
  { startsOn, version }: { startsOn: string; version: number },
) {
  const project = await lockProject(tx, actor, id)
  requireCurrentVersion({ version: project.version }, { version })
  requireReadyForOperation(project)
  const members = project.candidates.filter(({ prm }) => prm !== '')
  const operation = await createOperation(tx, actor, buildOperationDraft(project, members, startsOn)).catch(
    (error: unknown) => {
      throw nameRefusedParticipants(error, members)
    },
  )
  await tx
    .update(projects)
    .set({ status: 'running', operationId: operation.id, version: version + 1 })
    .where(isThisProject(actor, id))
  return { project, operation }
}
