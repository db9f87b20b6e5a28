import type { Operation, OperationFinding } from '@voisol/contract/operations'
import { sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { formatFrenchDay } from '../../../french.ts'
import { getToday } from '../../../today.ts'

/** What an operation needs to be activated, as a checklist item and as the refusal when missing. */
export type Requirement = { label: string; done: boolean; url: string; refusal: string }

/** The start day of an operation: its own, otherwise its first participation or today, whichever comes first. */
export async function loadOperationStart(db: Db, companyId: number, { id, startsOn }: Operation): Promise<string> {
  if (startsOn) return startsOn
  const { rows } = await db.execute<{ first: string }>(sql`
    select least(min(starts_on), ${getToday()}::date)::text as first
      from participations where company_id = ${companyId} and operation_id = ${id}`)
  return rows[0]?.first ?? getToday()
}

async function hasAdoptedKeyOn(db: Db, companyId: number, operationId: string, day: string): Promise<boolean> {
  const { rows } = await db.execute(sql`
    select 1 from keys where company_id = ${companyId} and operation_id = ${operationId}
       and status = 'adopted' and starts_on <= ${day}::date limit 1`)
  return rows.length > 0
}

type PerimeterFindings = z.infer<typeof OperationFinding>[]

export async function listRequirements(
  db: Db,
  companyId: number,
  operation: Operation,
  { findings, verdict }: { findings: PerimeterFindings; verdict: 'fine' | 'unsure' | 'refused' },
): Promise<Requirement[]> {
  const { id, accNumber, producers, consumers } = operation
  const start = await loadOperationStart(db, companyId, operation)
  const refused = findings.filter((finding) => finding.severity === 'refused')
  const unsure = verdict === 'unsure'
  const detail = `/acc-operations/${id}`
  const people = `${detail}/participants`
  return [
    {
      label: 'Numéro d’opération attribué par le gestionnaire de réseau',
      done: accNumber !== null,
      url: detail,
      refusal: 'il manque le numéro d’opération (ACC et huit chiffres)',
    },
    { label: 'Au moins un producteur', done: producers > 0, url: people, refusal: 'il manque un producteur' },
    { label: 'Au moins un consommateur', done: consumers > 0, url: people, refusal: 'il manque un consommateur' },
    {
      label: `Clé de répartition en vigueur au ${formatFrenchDay(start)}`,
      done: await hasAdoptedKeyOn(db, companyId, id, start),
      url: `${detail}/energy-distribution`,
      refusal: `aucune clé de répartition n’est en vigueur au ${formatFrenchDay(start)}`,
    },
    {
      label: unsure
        ? 'Périmètre et puissance\u00a0: rien de refusé, la distance reste à vérifier'
        : 'Périmètre et puissance conformes',
      done: refused.length === 0,
      url: people,
      refusal: refused.map(({ message }) => message.replace(/\.$/, '')).join(', '),
    },
  ]
}
