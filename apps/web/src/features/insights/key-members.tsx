import type { KeyOutcome, KeyVote } from '@voisol/contract/insight-views'
import { money, number, percent, plural } from '../../lib/format.ts'
import { Card } from '../../ui/card.tsx'
import { type Column, Table } from '../../ui/table.tsx'

type Member = KeyOutcome['members'][number] & { id: string; before: number | null }

const cover = (value: number | null) => (value === null ? '–' : percent(value, 1))

const COLUMNS: Column<Member>[] = [
  {
    header: 'Participant',
    card: 'title',
    cell: ({ name }) => <span className="block min-w-40 font-medium">{name}</span>,
  },
  { header: 'Couverture', card: 'secondary', align: 'end', cell: ({ before }) => cover(before) },
  { header: 'Avec cette clé', card: 'primary', align: 'end', cell: ({ coverage }) => cover(coverage) },
  {
    header: 'Prix moyen (c€/kWh)',
    card: 'primary',
    align: 'end',
    cell: ({ price }) => (price === null ? '–' : number(price / 100, 2)),
  },
  {
    header: 'Écart HT',
    card: 'primary',
    align: 'end',
    cell: ({ cents }) =>
      cents === null ? '–' : <span className={cents < 0 ? 'font-medium text-danger' : ''}>{money(cents)}</span>,
  },
  { header: 'Part', align: 'end', cell: ({ share }) => (share === null ? '–' : percent(share, 2)) },
]

/** Who gains and who loses with a key, by name; and who would rather have another's part. */
export function KeyMembers({ vote, offer }: { vote: KeyVote; offer: KeyOutcome }) {
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
            : `${plural(losers.length, 'participant')} y ${losers.length > 1 ? 'perdent' : 'perd'}\u00a0: ${losers
                .map(({ name, cents }) => `${name} (${money(cents ?? 0)})`)
                .join(', ')}.`}
          {offer.envies.length > 0 &&
            ` ${plural(offer.envies.length, 'cas', 'cas')} où l’on aurait reçu plus de 5\u00a0% de plus avec la part d’un autre, par exemple ${offer.envies[0]?.who} avec celle de ${offer.envies[0]?.whose}.`}
        </p>
        <Table label={offer.label} rows={rows} columns={COLUMNS} />
      </div>
    </Card>
  )
}
