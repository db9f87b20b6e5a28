import { Buffer } from 'node:buffer'
import { membersOf } from '../../../core/members.ts'
import { plural } from '../../../french.ts'
import { AppError } from '../../../http/errors.ts'
import { coefficientFile, findRun } from '../../energy/allocations/allocations.ts'
import { standingRuns } from '../energy/energy.ts'
import type { Content, Maker } from './content.ts'
import { monthSpan, periodWords } from './period.ts'

const DECIMALS = 1

async function whole(content: AsyncIterable<Uint8Array> | Uint8Array | string): Promise<Uint8Array> {
  if (typeof content === 'string' || content instanceof Uint8Array) return Buffer.from(content)
  const parts: Uint8Array[] = []
  for await (const part of content) parts.push(part)
  return Buffer.concat(parts)
}

const refused = (message: string) => new AppError('conflict', { message })

/** Of a month that one definitive run holds: what each consumer had of each producer, as the distributor takes it. */
export const coefficientFiles: Maker = async (db, _deps, { companyId }, { operation, period }): Promise<Content> => {
  const span = monthSpan(period)
  const [held, ...others] = await standingRuns(db, companyId, operation.id, span)
  if (!held || others.length > 0 || held.from > span.from || held.to < span.to || !held.definitive)
    throw refused(
      `Les coefficients de ${periodWords(period)} demandent un calcul définitif du mois entier\u00a0: lancez-le dans «\u00a0Répartition\u00a0», puis revenez.`,
    )
  const run = await findRun(db, companyId, held.runId)
  if (!run) throw new AppError('not-found')
  if (run.startsOn !== span.from || run.endsOn !== span.to)
    throw refused(
      `Le calcul définitif de ${periodWords(period)} ne porte pas sur ce seul mois\u00a0: refaites-le du mois seul.`,
    )
  const members = await membersOf(db, companyId, operation.id, span)
  const producers = [
    ...new Map(members.filter(({ direction }) => direction === 'production').map((one) => [one.pointId, one])).values(),
  ]
  const files: { name: string; content: Uint8Array }[] = []
  for (const { pointId } of producers) {
    const { name, content } = await coefficientFile(db, run, pointId, DECIMALS)
    files.push({ name, content: await whole(content) })
  }
  const rows = producers.map(({ prm, label, holder }, at) => [prm, label, holder, files[at]?.name ?? ''])
  return {
    header: ['PRM producteur', 'Installation', 'Producteur', 'Fichier'],
    rows: rows.map((row) => [...row, run.resultHash ?? '']),
    subjects: [run.id],
    missing: [],
    files,
    sheet: {
      lead: `${plural(files.length, 'fichier', 'fichiers')} de coefficients, du calcul définitif du mois (empreinte ${run.resultHash?.slice(0, 12) ?? 'inconnue'}).`,
      columns: [
        { head: 'PRM producteur', part: 22 },
        { head: 'Installation', part: 28 },
        { head: 'Producteur', part: 28 },
        { head: 'Fichier', part: 22 },
      ],
      rows,
    },
  }
}
