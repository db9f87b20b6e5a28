import { useQuery } from '@tanstack/react-query'
import { type Assembly, assembly } from '@voisol/contract/assembly'
import Download from 'lucide-react/icons/download'
import { useState } from 'react'
import { download } from '../../lib/call.ts'
import { explainError } from '../../lib/explain.ts'
import { formatEnergy, formatMoney, formatPercent } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { OperationSelector } from '../../ui/operation-choice.tsx'
import { usePeriodOption } from '../../ui/period/spans.ts'
import { Select } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { KpiTile } from '../../ui/tile.tsx'
import { BuyerTable, LotChargesCard, ProducerTable } from './parts.tsx'

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
