import { readFile } from 'node:fs/promises'
import type { Deps } from '../deps.ts'
import {
  loadUpgradeInstant,
  SERIES_FAULTS,
  type SeriesVerdict,
  verifySeries,
} from '../features/money/invoices/invoices.ts'
import { FAULTS, type FoundSheet, keptSheets, readSheet, verifyAudit } from '../features/people/audit/audit.ts'
import { longDay } from '../papers/words.ts'
import { plural, say, UsageError } from './output.ts'

type Chain = Awaited<ReturnType<typeof verifyAudit>>[number]

async function givenSheet({ secrets }: Deps, path: string): Promise<FoundSheet> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new UsageError(`Le fichier ${path} ne peut pas être lu.`, { cause: error })
  })
  return readSheet(secrets, path, text)
}

function saySheets(sheets: FoundSheet[]): number {
  const signed = sheets.filter((one) => one.signed)
  const bad = sheets.filter((one) => !one.signed)
  for (const { name } of bad) say(`✗ ${name}\u00a0: illisible, ou non signé avec la clé de cette installation.`)
  const days = signed.flatMap(({ sheet }) => sheet?.day ?? []).sort()
  if (days.length) say(`✓ ${plural(days.length, 'relevé')} des têtes hors de la base, du ${days[0]} au ${days.at(-1)}.`)
  else say('! Aucun relevé des têtes hors de la base\u00a0: une fin coupée avec sa tête ne se verrait pas.')
  return bad.length
}

function sayChain({ companyId, links, head, broken }: Chain) {
  const name = companyId === 0 ? 'Visiteurs' : `Organisation ${companyId}`
  const shown = broken?.sheet ? ` (d’après ${broken.sheet})` : ''
  if (broken) say(`✗ ${name}\u00a0: le maillon ${broken.seq} est rompu, ${FAULTS[broken.fault]}${shown}.`)
  else say(`✓ ${name}\u00a0: ${plural(links, 'maillon')}, tête ${head.slice(0, 16)}`)
}

function saySeries({ prefix, year, companyId, documents, broken }: SeriesVerdict) {
  const name = `Factures ${prefix}${year} (organisation ${companyId})`
  if (broken) say(`✗ ${name}\u00a0: le document ${broken.number} est rompu, ${SERIES_FAULTS[broken.fault]}.`)
  else say(`✓ ${name}\u00a0: ${plural(documents, 'document')}`)
}

/** False when a chain is broken, or is no longer what was noted outside the database, or a note is not ours. */
export async function auditVerify(deps: Deps, { heads }: { heads?: string | undefined }): Promise<boolean> {
  const given = heads ? [await givenSheet(deps, heads)] : []
  const sheets = [...(await keptSheets(deps.secrets, deps.files)), ...given]
  const chains = await verifyAudit(deps.db, deps.secrets, sheets)
  const unread = saySheets(sheets)
  for (const chain of chains) sayChain(chain)
  const series = await verifySeries(deps.db, deps.secrets)
  const since = await loadUpgradeInstant(deps.db, deps.secrets)
  if (since && series.length) say(`✓ Factures signées depuis le ${longDay(since.toISOString().slice(0, 10))}.`)
  for (const one of series) saySeries(one)
  const bad = [...chains, ...series].filter((chain) => chain.broken).length
  if (bad) say(`\n${plural(bad, 'chaîne rompue', 'chaînes rompues')}.`)
  else if (unread)
    say(`\nLes chaînes sont intactes, mais ${plural(unread, 'relevé ne prouve rien', 'relevés ne prouvent rien')}.`)
  else say(`\nLe journal d’audit ${series.length ? 'et les factures émises sont intacts' : 'est intact'}.`)
  return bad + unread === 0
}
