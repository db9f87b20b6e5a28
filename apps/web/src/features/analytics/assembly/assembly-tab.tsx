import { useQuery } from '@tanstack/react-query'
import { type Assembly, assembly } from '@voisol/contract/assembly'
import { SPREAD_LABELS } from '@voisol/contract/lots'
import Download from 'lucide-react/icons/download'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Select } from '../../../components/input.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { OperationSelector } from '../../../components/operation-choice.tsx'
import { usePeriodOption } from '../../../components/period/period-labels.ts'
import { type Column, Table } from '../../../components/table.tsx'
import { KpiTile } from '../../../components/tile.tsx'
import { download } from '../../../lib/call.ts'
import { explainError } from '../../../lib/error-text.ts'
import { formatCount, formatEnergy, formatMoney, formatPercent } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'

type AssemblyPeriod = { id: string; from: string; to: string }

function DownloadButton({ id, from, to }: AssemblyPeriod) {
  const [loading, setLoading] = useState(false)
  const downloadFile = () => {
    setLoading(true)
    download(assembly.file, { params: { id }, query: { from, to } })
      .catch((error: unknown) =>
        toast({ title: 'Téléchargement impossible', description: explainError(error), variant: 'destructive' }),
      )
      .finally(() => setLoading(false))
  }
  return (
    <Button icon={<Download aria-hidden="true" />} loading={loading} onClick={downloadFile}>
      Télécharger le dossier (PDF)
    </Button>
  )
}

const formatSharedEnergy = ({ energy: totals }: Assembly) =>
  totals
    ? `${formatEnergy(totals.shared)} partagés sur ${formatEnergy(totals.produced)} produits${totals.selfConsumption === null ? '' : `, soit ${formatPercent(totals.selfConsumption)}`}`
    : undefined

/** More was paid than is billed today: what credit notes took away is to be given back. */
function formatOpenBalance(open: number): string {
  if (open === 0) return 'Tout est réglé'
  return open < 0 ? `${formatMoney(-open)} à rendre` : `${formatMoney(open)} restent dus`
}

function AssemblyReport({ id, from, to }: AssemblyPeriod) {
  const { data, error, refetch } = useQuery(query(assembly.get, { params: { id }, query: { from, to } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  const { totals, earned, surplus, notes } = data
  return (
    <>
      {notes.length > 0 && (
        <ul className="grid gap-1 text-body text-warning">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
        <KpiTile label="Facturé TTC" figure={formatMoney(totals.billed)} note={formatOpenBalance(totals.open)} />
        <KpiTile label="Réglé" figure={formatMoney(totals.settled)} />
        <KpiTile
          label="Économie HT"
          figure={totals.saved === null ? '–' : formatMoney(totals.saved)}
          note={formatSharedEnergy(data)}
        />
        <KpiTile
          label="Rapporté par la toiture"
          figure={formatMoney(earned)}
          note={surplus === null ? undefined : `Et ${formatMoney(surplus)} de surplus, hors taxes`}
        />
      </div>
      <BuyerTable pack={data} />
      <ProducerTable pack={data} />
      <LotChargesCard pack={data} />
    </>
  )
}

function OperationAssembly({ id }: { id: string }) {
  const { spans, value, from, to, choose } = usePeriodOption()
  return (
    <>
      <div className="flex flex-wrap items-end gap-3">
        <Select
          aria-label="Période de fourniture"
          className="sm:w-52"
          value={value}
          options={spans}
          onChange={({ target }) => choose(target.value)}
        />
        <DownloadButton id={id} from={from} to={to} />
      </div>
      <AssemblyReport id={id} from={from} to={to} />
    </>
  )
}

/** What an assembly votes on: who paid, who saved, what the roof earned. */
export default function AssemblyTab() {
  return (
    <OperationSelector why="Le dossier d’assemblée se prépare pour une opération&nbsp;: créez-en une d’abord.">
      {({ id }) => <OperationAssembly id={id} />}
    </OperationSelector>
  )
}

type Buyer = Assembly['buyers'][number]
type Producer = Assembly['producers'][number]
const renderName = (text: string) => <span className="block min-w-40 font-medium">{text}</span>

const buyerColumns: Column<Buyer>[] = [
  { header: 'Participant', card: 'title', cell: (buyer) => renderName(buyer.name) },
  { header: 'Énergie locale', card: 'primary', align: 'end', cell: ({ wh }) => (wh === null ? '–' : formatEnergy(wh)) },
  { header: 'Facturé TTC', card: 'primary', align: 'end', cell: ({ billed }) => formatMoney(billed) },
  { header: 'Réglé', card: 'primary', align: 'end', cell: ({ settled }) => formatMoney(settled) },
  {
    header: 'Reste dû',
    card: 'primary',
    align: 'end',
    cell: ({ open, overdue }) => (
      <span className={overdue > 0 ? 'font-medium text-danger' : ''}>{formatMoney(open)}</span>
    ),
  },
  {
    header: 'Économie HT',
    card: 'primary',
    align: 'end',
    cell: ({ saved }) => (saved === null ? '–' : formatMoney(saved)),
  },
]
const producerColumns: Column<Producer>[] = [
  { header: 'Producteur', card: 'title', cell: (producer) => renderName(producer.name) },
  { header: 'Énergie vendue', card: 'primary', align: 'end', cell: ({ wh }) => formatEnergy(wh) },
  { header: 'Ventes HT', align: 'end', cell: ({ net }) => formatMoney(net) },
  { header: 'TVA', align: 'end', cell: ({ tax }) => formatMoney(tax) },
  { header: 'Ventes TTC', card: 'primary', align: 'end', cell: ({ gross }) => formatMoney(gross) },
  { header: 'Frais TTC', card: 'primary', align: 'end', cell: ({ fees }) => formatMoney(fees) },
  { header: 'Reste', card: 'primary', align: 'end', cell: ({ earned }) => <strong>{formatMoney(earned)}</strong> },
]

const BuyerTable = ({ pack }: { pack: Assembly }) => (
  <Card
    title="Qui a payé, qui a économisé"
    description="Facturé pour l’énergie de la période, avoirs déduits ; réglé et restant dû aujourd’hui. Un reste négatif est à rendre. L’économie est hors taxes, face au prix du fournisseur."
  >
    {pack.buyers.length > 0 ? (
      <Table label="Participants" rows={pack.buyers} columns={buyerColumns} />
    ) : (
      <p className="text-body text-ink-soft">Personne n’a participé pendant cette période.</p>
    )}
  </Card>
)

const ProducerTable = ({ pack }: { pack: Assembly }) => (
  <Card
    title="Ce que la toiture a rapporté"
    description="Ventes facturées au nom de chaque producteur, moins les frais de l’organisateur."
  >
    {pack.producers.length > 0 ? (
      <Table label="Producteurs" rows={pack.producers} columns={producerColumns} />
    ) : (
      <p className="text-body text-ink-soft">Aucune vente n’a été facturée pour cette période.</p>
    )}
  </Card>
)

/** Named here; each lot stands in the paper. */
const LotChargesCard = ({ pack }: { pack: Assembly }) =>
  pack.lots.length > 0 && (
    <Card title="Charges par lot" description="Le dossier les donne lot par lot.">
      <ul className="divide-y divide-line">
        {pack.lots.map(({ buyer, by, lots, gross }) => (
          <li key={buyer.id} className="flex flex-wrap justify-between gap-x-4 py-2.5 text-body first:pt-0 last:pb-0">
            <span>{`${buyer.name}\u00a0: ${formatCount(lots.length, 'lot')}, ${SPREAD_LABELS[by].toLowerCase()}`}</span>
            <span className="tabular">{formatMoney(gross)}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
