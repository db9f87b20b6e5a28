import type { BetterKeyReport, KeyOutcome } from '@voisol/contract/insight-views'
import { formatCount, formatMoney, formatNumber, formatPercent } from '../../lib/format.ts'
import { Card } from '../../ui/card.tsx'
import { type Column, Table } from '../../ui/table.tsx'

type MemberRow = KeyOutcome['members'][number] & { id: string; before: number | null }

const formatCoverage = (value: number | null) => (value === null ? '–' : formatPercent(value, 1))

const COLUMNS: Column<MemberRow>[] = [
  {
    header: 'Participant',
    card: 'title',
    cell: ({ name }) => <span className="block min-w-40 font-medium">{name}</span>,
  },
  { header: 'Couverture', card: 'secondary', align: 'end', cell: ({ before }) => formatCoverage(before) },
  { header: 'Avec cette clé', card: 'primary', align: 'end', cell: ({ coverage }) => formatCoverage(coverage) },
  {
    header: 'Prix moyen (c€/kWh)',
    card: 'primary',
    align: 'end',
    cell: ({ price }) => (price === null ? '–' : formatNumber(price / 100, 2)),
  },
  {
    header: 'Écart HT',
    card: 'primary',
    align: 'end',
    cell: ({ cents }) =>
      cents === null ? '–' : <span className={cents < 0 ? 'font-medium text-danger' : ''}>{formatMoney(cents)}</span>,
  },
  { header: 'Part', align: 'end', cell: ({ share }) => (share === null ? '–' : formatPercent(share, 2)) },
]

/** Who gains and who loses with a key, by name; and who would rather have another's part. */
export function KeyMembers({ vote, offer }: { vote: BetterKeyReport; offer: KeyOutcome }) {
  const before = new Map(vote.current.members.map(({ pointId, coverage }) => [pointId, coverage]))
  const rows = offer.members.map((member) => ({
    ...member,
    id: member.pointId,
    before: before.get(member.pointId) ?? null,
  }))
  const losers = rows.filter(({ cents }) => cents !== null && cents < 0)
  return (
    <Card title={offer.label} description="Sur les trente jours jugés, hors taxes.">
      <div className="grid gap-4 [&>*]:min-w-0">
        <p className="prose-width text-body">
          {losers.length === 0
            ? 'Personne n’y perd sur ces jours.'
            : `${formatCount(losers.length, 'participant')} y ${losers.length > 1 ? 'perdent' : 'perd'}\u00a0: ${losers
                .map(({ name, cents }) => `${name} (${formatMoney(cents ?? 0)})`)
                .join(', ')}.`}
          {offer.envies.length > 0 &&
            ` ${formatCount(offer.envies.length, 'cas', 'cas')} où l’on aurait reçu plus de 5\u00a0% de plus avec la part d’un autre, par exemple ${offer.envies[0]?.who} avec celle de ${offer.envies[0]?.whose}.`}
        </p>
        <Table label={offer.label} rows={rows} columns={COLUMNS} />
      </div>
    </Card>
  )
}
