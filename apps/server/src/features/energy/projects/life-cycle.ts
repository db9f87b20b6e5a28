import type { Project } from '@voisol/contract/projects'
import { AppError } from '../../../http/errors.ts'
import { STATUS_LABELS } from './labels.ts'

type Status = Project['status']
type Standing = Pick<Project, 'status' | 'operationId'>

const NEXT: Record<Status, Status[]> = {
  prospect: ['study', 'abandoned'],
  study: ['agreement', 'prospect', 'abandoned'],
  agreement: ['study', 'abandoned'],
  running: [],
  abandoned: ['prospect'],
}

/** A project whose operation was removed may go on from where it was. */
export const transitionsOf = ({ status, operationId }: Standing): Status[] =>
  status === 'running' && operationId === null ? ['agreement'] : NEXT[status]

const name = (status: Status) => `«\u00a0${STATUS_LABELS[status]}\u00a0»`

export function requireMove(project: Standing, wanted: Status) {
  if (transitionsOf(project).includes(wanted)) return
  if (wanted === 'running')
    throw new AppError('invalid-transition', {
      message: `Un projet passe à ${name('running')} quand son opération est créée, depuis ${name('agreement')}.`,
    })
  const possible = transitionsOf(project).map(name).join(', ') || 'aucun autre'
  throw new AppError('invalid-transition', {
    message: `Un projet à l’état ${name(project.status)} ne peut pas passer à ${name(wanted)}\u00a0; états possibles\u00a0: ${possible}.`,
  })
}
