import { readFile } from 'node:fs/promises'
import { formatLongDay } from '@voisol/documents/number-and-date-formats'
import type { Deps } from '../deps.ts'
import {
  loadUpgradeInstant,
  SEQUENCE_FAULT_LABELS,
  type SequenceVerdict,
  verifyInvoiceSequences,
} from '../features/billing/invoices/index.ts'
import {
  AUDIT_FAULT_MESSAGES,
  type HeadsSnapshotFile,
  loadHeadsSnapshots,
  parseHeadsSnapshot,
  verifyAudit,
} from '../features/identity/audit/index.ts'
import { formatCliCount, printLine, UsageError } from './output.ts'

type Chain = Awaited<ReturnType<typeof verifyAudit>>[number]

async function loadGivenHeads({ secrets }: Deps, path: string): Promise<HeadsSnapshotFile> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new UsageError(`Le fichier ${path} ne peut pas être lu.`, { cause: error })
  })
  return parseHeadsSnapshot(secrets, path, text)
}

function printHeadSheets(sheets: HeadsSnapshotFile[]): number {
  const signed = sheets.filter((one) => one.signed)
  const bad = sheets.filter((one) => !one.signed)
  for (const { name } of bad) printLine(`✗ ${name}\u00a0: illisible, ou non signé avec la clé de cette installation.`)
  const days = signed.flatMap(({ sheet }) => sheet?.day ?? []).sort()
  if (days.length)
    printLine(`✓ ${formatCliCount(days.length, 'relevé')} des têtes hors de la base, du ${days[0]} au ${days.at(-1)}.`)
  else printLine('! Aucun relevé des têtes hors de la base\u00a0: une fin coupée avec sa tête ne se verrait pas.')
  return bad.length
}

function printChain({ companyId, links, head, broken }: Chain) {
  const name = companyId === 0 ? 'Visiteurs' : `Organisation ${companyId}`
  const shown = broken?.sheet ? ` (d’après ${broken.sheet})` : ''
  if (broken)
    printLine(`✗ ${name}\u00a0: le maillon ${broken.seq} est rompu, ${AUDIT_FAULT_MESSAGES[broken.fault]}${shown}.`)
  else printLine(`✓ ${name}\u00a0: ${formatCliCount(links, 'maillon')}, tête ${head.slice(0, 16)}`)
}

function printSeries({ prefix, year, companyId, documents, broken }: SequenceVerdict) {
  const name = `Factures ${prefix}${year} (organisation ${companyId})`
  if (broken)
    printLine(`✗ ${name}\u00a0: le document ${broken.number} est rompu, ${SEQUENCE_FAULT_LABELS[broken.fault]}.`)
  else printLine(`✓ ${name}\u00a0: ${formatCliCount(documents, 'document')}`)
}

/** False when a chain is broken, differs from the heads noted outside the database, or a note has a wrong signature. */
export async function runAuditVerifyCommand(deps: Deps, { heads }: { heads?: string | undefined }): Promise<boolean> {
  const given = heads ? [await loadGivenHeads(deps, heads)] : []
  const sheets = [...(await loadHeadsSnapshots(deps.secrets, deps.files)), ...given]
  const chains = await verifyAudit(deps.db, deps.secrets, sheets)
  const unread = printHeadSheets(sheets)
  for (const chain of chains) printChain(chain)
  const series = await verifyInvoiceSequences(deps.db, deps.secrets)
  const since = await loadUpgradeInstant(deps.db, deps.secrets)
  if (since && series.length)
    printLine(`✓ Factures signées depuis le ${formatLongDay(since.toISOString().slice(0, 10))}.`)
  for (const one of series) printSeries(one)
  const bad = [...chains, ...series].filter((chain) => chain.broken).length
  if (bad) printLine(`\n${formatCliCount(bad, 'chaîne rompue', 'chaînes rompues')}.`)
  else if (unread)
    printLine(
      `\nLes chaînes sont intactes, mais ${formatCliCount(unread, 'relevé ne prouve rien', 'relevés ne prouvent rien')}.`,
    )
  else printLine(`\nLe journal d’audit ${series.length ? 'et les factures émises sont intacts' : 'est intact'}.`)
  return bad + unread === 0
}
