import type { CurveImport } from '@voisol/contract/curves'
import { formatCount } from '../../../lib/format.ts'

type QueuedImport = Pick<CurveImport, 'status' | 'message'> & { asked: { questions: unknown[] } }

/** What a file of several waits for, and what its button does. */
export function getNextStep({ status, message, asked }: QueuedImport): { words: string; action: string } {
  const questions = asked.questions.length
  if (status === 'reading') return { words: 'Lecture en cours…', action: 'Voir' }
  if (status === 'storing') return { words: 'Enregistrement en cours…', action: 'Voir' }
  if (status !== 'ready') return { words: message, action: 'Voir' }
  if (questions > 0)
    return { words: `${formatCount(questions, 'question')} avant de pouvoir l’enregistrer`, action: 'Répondre' }
  return { words: 'Prêt\u00a0: vérifiez-le, puis enregistrez-le', action: 'Vérifier' }
}
