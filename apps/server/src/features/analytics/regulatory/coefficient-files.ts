import { Buffer } from 'node:buffer'
import { formatCount } from '@voisol/file-formats/french'
import { listOperationMembers } from '../../../core/operation-members.ts'
import { AppError } from '../../../http/errors.ts'
import { exportCoefficientFile, findAllocationRun } from '../../energy/allocation/index.ts'
import { listRunsInForceOfOperation } from '../energy/index.ts'
import { type ExportBuilder, type ExportContent, formatExportPeriod, getMonthRange } from './export-content.ts'

const COEFFICIENT_DECIMALS = 1

async function readWholeContent(content: AsyncIterable<Uint8Array> | Uint8Array | string): Promise<Uint8Array> {
  if (typeof content === 'string' || content instanceof Uint8Array) return Buffer.from(content)
  const parts: Uint8Array[] = []
  for await (const part of content) parts.push(part)
  return Buffer.concat(parts)
}

const conflictError = (message: string) => new AppError('conflict', { message })

/**
 * Coefficients of a month covered by one definitive run: each consumer's share of each producer, in the distributor's
 * format.
 */
export const buildCoefficientFiles: ExportBuilder = async (
  db,
  _deps,
  { companyId },
  { operation, period },
): Promise<ExportContent> => {
  const month = getMonthRange(period)
  const [runInForce, ...others] = await listRunsInForceOfOperation(db, companyId, operation.id, month)
  if (
    !runInForce ||
    others.length > 0 ||
    runInForce.from > month.from ||
    runInForce.to < month.to ||
    !runInForce.definitive
  )
    throw conflictError(
      `Les coefficients de ${formatExportPeriod(period)} demandent un calcul définitif du mois entier\u00a0: lancez-le dans «\u00a0Répartition\u00a0», puis revenez.`,
    )
  const run = await findAllocationRun(db, companyId, runInForce.runId)
  if (!run) throw new AppError('not-found')
  if (run.startsOn !== month.from || run.endsOn !== month.to)
    throw conflictError(
      `Le calcul définitif de ${formatExportPeriod(period)} ne porte pas sur ce seul mois\u00a0: refaites-le du mois seul.`,
    )
  const members = await listOperationMembers(db, companyId, operation.id, month)
  const producers = [
    ...new Map(members.filter(({ direction }) => direction === 'production').map((one) => [one.pointId, one])).values(),
  ]
  const files: { name: string; content: Uint8Array }[] = []
  for (const { pointId } of producers) {
    const { name, content } = await exportCoefficientFile(db, run, pointId, COEFFICIENT_DECIMALS)
    files.push({ name, content: await readWholeContent(content) })
  }
  const rows = producers.map(({ prm, label, holder }, at) => [prm, label, holder, files[at]?.name ?? ''])
  return {
    header: ['PRM producteur', 'Installation', 'Producteur', 'Fichier'],
    rows: rows.map((row) => [...row, run.resultHash ?? '']),
    subjects: [run.id],
    missing: [],
    files,
    sheet: {
      lead: `${formatCount(files.length, 'fichier', 'fichiers')} de coefficients, du calcul définitif du mois (empreinte ${run.resultHash?.slice(0, 12) ?? 'inconnue'}).`,
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
