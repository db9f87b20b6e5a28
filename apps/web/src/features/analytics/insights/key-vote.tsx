import { useQuery } from '@tanstack/react-query'
import type { BetterKeyReport, KeyOutcome, BetterKeyReport as Vote } from '@voisol/contract/insight-views'
import { insights } from '@voisol/contract/insights'
import Download from 'lucide-react/icons/download'
import { useState } from 'react'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { FilterChips } from '../../../components/filter-bar.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { OperationSelector } from '../../../components/operation-choice.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { download } from '../../../lib/call.ts'
import { explainError } from '../../../lib/error-text.ts'
import { formatCount, formatEnergy, formatMoney, formatNumber, formatPercent } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { formatInsightDays } from './insight-days.ts'

type Row = KeyOutcome & { id: string }
const isCurrent = ({ name }: Row) => name === 'current'

const COLUMNS: Column<Row>[] = [
  {
    header: 'Clé',
    card: 'title',
    cell: ({ label, proposed }) => (
      <span className="flex min-w-52 flex-wrap items-center gap-2 font-medium">
        {label}
        {proposed && <Badge tone="success">Proposée</Badge>}
      </span>
    ),
  },
  { header: 'Utilisé', card: 'primary', align: 'end', cell: ({ used }) => formatPercent(used, 1) },
  { header: 'Gain', card: 'primary', align: 'end', cell: (row) => (isCurrent(row) ? '–' : formatEnergy(row.more)) },
  {
    header: 'Gain HT',
    card: 'primary',
    align: 'end',
    cell: (row) => (isCurrent(row) || row.cents === null ? '–' : formatMoney(row.cents)),
  },
  {
    header: 'Tirages positifs',
    align: 'end',
    cell: (row) => (isCurrent(row) ? '–' : `${row.positive} sur 10`),
  },
  { header: 'Gini', align: 'end', cell: ({ gini }) => formatNumber(gini, 2) },
  { header: 'Jain', align: 'end', cell: ({ jain }) => formatNumber(jain, 2) },
  { header: 'Plus faible couverture', align: 'end', cell: ({ least }) => formatPercent(least, 1) },
]

function VotingDocumentButton({ id }: { id: string }) {
  const [loading, setLoading] = useState(false)
  const downloadVotingDocument = () => {
    setLoading(true)
    download(insights.keyFile, { params: { id } })
      .catch((error: unknown) =>
        toast({ title: 'Téléchargement impossible', description: explainError(error), variant: 'destructive' }),
      )
      .finally(() => setLoading(false))
  }
  return (
    <Button icon={<Download aria-hidden="true" />} loading={loading} onClick={downloadVotingDocument}>
      Feuille de vote (PDF)
    </Button>
  )
}

function KeyComparison({ vote }: { vote: Vote }) {
  const { current, offers, heldOut, chosenOn, notes } = vote
  const first = offers.find(({ proposed }) => proposed) ?? offers[0]
  const [name, setName] = useState(first?.name)
  const selectedKey = offers.find((offer) => offer.name === name) ?? first
  const rows = [current, ...offers].map((one) => ({ ...one, id: one.name }))
  return (
    <>
      <Card
        title="Les clés comparées"
        description={`Choisies sur les jours ${formatInsightDays(chosenOn)}, jugées ${formatInsightDays(heldOut)}, qu’elles n’ont pas vus.`}
        actions={<VotingDocumentButton id={vote.operation.id} />}
      >
        <div className="grid gap-4 [&>*]:min-w-0">
          <ul className="grid gap-1 text-body text-ink-soft">
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
            {!offers.some(({ proposed }) => proposed) && (
              <li>
                Aucune n’est proposée&nbsp;: il faut un point d’autoconsommation ou 50&nbsp;€ par an, et un gain dans
                neuf tirages de semaines sur dix.
              </li>
            )}
            <li>Gini&nbsp;: 0 quand tous ont la même couverture. Jain&nbsp;: 1 quand tous ont la même.</li>
          </ul>
          <Table label="Clés comparées" rows={rows} columns={COLUMNS} />
        </div>
      </Card>
      <FilterChips
        label="Clé regardée de près"
        options={offers.map((offer) => ({ value: offer.name, label: offer.label }))}
        value={selectedKey?.name}
        onChange={(value) => setName(offers.find((offer) => offer.name === value)?.name ?? first?.name)}
      />
      {selectedKey && <KeyMembers vote={vote} offer={selectedKey} />}
    </>
  )
}

function OperationKeyVote({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(query(insights.key, { params: { id } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  return <KeyComparison vote={data} />
}

/** What an assembly could vote: chosen without the last month, shown on it. */
export default function KeyVote() {
  return (
    <OperationSelector why="Une clé est celle d’une opération.">
      {({ id }) => <OperationKeyVote id={id} />}
    </OperationSelector>
  )
}

type MemberRow = KeyOutcome['members'][number] & { id: string; before: number | null }

const formatCoverage = (value: number | null) => (value === null ? '–' : formatPercent(value, 1))

const KEY_MEMBERS_COLUMNS: Column<MemberRow>[] = [
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
function KeyMembers({ vote, offer }: { vote: BetterKeyReport; offer: KeyOutcome }) {
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
        <Table label={offer.label} rows={rows} columns={KEY_MEMBERS_COLUMNS} />
      </div>
    </Card>
  )
}
