import { useQuery } from '@tanstack/react-query'
import { type Assembly, assembly } from '@voisol/contract/assembly'
import Download from 'lucide-react/icons/download'
import { useState } from 'react'
import { download } from '../../lib/call.ts'
import { explain } from '../../lib/explain.ts'
import { energy, money, percent } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { OperationChoice } from '../../ui/operation-choice.tsx'
import { useSpan } from '../../ui/period/spans.ts'
import { Select } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Tile } from '../../ui/tile.tsx'
import { Buyers, Lots, Producers } from './parts.tsx'

type Asked = { id: string; from: string; to: string }

function Take({ id, from, to }: Asked) {
  const [loading, setLoading] = useState(false)
  const take = () => {
    setLoading(true)
    download(assembly.file, { params: { id }, query: { from, to } })
      .catch((error: unknown) =>
        toast({ title: 'Téléchargement impossible', description: explain(error), variant: 'destructive' }),
      )
      .finally(() => setLoading(false))
  }
  return (
    <Button icon={<Download aria-hidden="true" />} loading={loading} onClick={take}>
      Télécharger le dossier (PDF)
    </Button>
  )
}

const sharedOf = ({ energy: totals }: Assembly) =>
  totals
    ? `${energy(totals.shared)} partagés sur ${energy(totals.produced)} produits${totals.selfConsumption === null ? '' : `, soit ${percent(totals.selfConsumption)}`}`
    : undefined

/** More was paid than is billed today: what credit notes took away is to be given back. */
function openWords(open: number): string {
  if (open === 0) return 'Tout est réglé'
  return open < 0 ? `${money(-open)} à rendre` : `${money(open)} restent dus`
}

function Pack({ id, from, to }: Asked) {
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
        <Tile label="Facturé TTC" figure={money(totals.billed)} note={openWords(totals.open)} />
        <Tile label="Réglé" figure={money(totals.settled)} />
        <Tile label="Économie HT" figure={totals.saved === null ? '–' : money(totals.saved)} note={sharedOf(data)} />
        <Tile
          label="Rapporté par la toiture"
          figure={money(earned)}
          note={surplus === null ? undefined : `Et ${money(surplus)} de surplus, hors taxes`}
        />
      </div>
      <Buyers pack={data} />
      <Producers pack={data} />
      <Lots pack={data} />
    </>
  )
}

function OfOperation({ id }: { id: string }) {
  const { spans, value, from, to, choose } = useSpan()
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
        <Take id={id} from={from} to={to} />
      </div>
      <Pack id={id} from={from} to={to} />
    </>
  )
}

/** What an assembly votes on: who paid, who saved, what the roof earned. */
export default function AssemblyTab() {
  return (
    <OperationChoice why="Le dossier d’assemblée se prépare pour une opération&nbsp;: créez-en une d’abord.">
      {({ id }) => <OfOperation id={id} />}
    </OperationChoice>
  )
}
