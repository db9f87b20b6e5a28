import { useQuery } from '@tanstack/react-query'
import { lots } from '@voisol/contract/lots'
import { parties } from '@voisol/contract/parties'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { withAccess } from '../../lib/can.tsx'
import { query } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FieldFrame } from '../../ui/field-frame.tsx'
import { usePeriodOption } from '../../ui/period/spans.ts'
import { Select } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { LotChargesPanel } from './charges.tsx'
import { LotsEditor } from './lots-form.tsx'

const MAX_LISTED_BUYERS = 500

function Editor({ id, onDone }: { id: string; onDone: () => void }) {
  const { data, error, refetch } = useQuery(query(lots.get, { params: { id } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  return data ? <LotsEditor key={id} spread={data} onDone={onDone} /> : <Skeleton className="h-72 w-full" />
}

/** Whose charge is to be spread: a buyer that has lots already, or another. */
const EditLots = withAccess(lots.save, ({ of, name }: { of?: string; name?: string }) => {
  const [open, setOpen] = useState(false)
  const [chosen, setChosen] = useState('')
  const buyers = useQuery({
    ...query(parties.buyers, { query: { size: MAX_LISTED_BUYERS, sort: 'name' } }),
    enabled: open && !of,
  })
  const id = of ?? chosen
  const options = (buyers.data?.items ?? []).map((buyer) => ({ value: buyer.id, label: buyer.name }))
  return (
    <Dialog
      title={name ? `Lots de ${name}` : 'Répartir la charge d’un acheteur'}
      description="Sa facture reste une seule ; ce tableau dit ce que chaque lot en porte, au centime près."
      width="medium"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button variant={of ? 'secondary' : 'primary'}>
          {of ? 'Modifier les lots' : 'Répartir un autre acheteur'}
        </Button>
      }
    >
      <div className="grid gap-4">
        {!of && (
          <FieldFrame id="lots-buyer" label="Acheteur">
            <Select
              id="lots-buyer"
              value={chosen}
              options={[{ value: '', label: 'Choisir…' }, ...options]}
              onChange={({ target }) => setChosen(target.value)}
            />
          </FieldFrame>
        )}
        {id && <Editor key={id} id={id} onDone={() => setOpen(false)} />}
      </div>
    </Dialog>
  )
})

/** A co-ownership or a landlord is invoiced once; its lots bear the charge. */
export default function LotsTab() {
  const [search, setSearch] = useSearchParams()
  const { data, error, refetch } = useQuery(query(lots.list, {}))
  const { spans, value, from, to, choose } = usePeriodOption()
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  const chosen = data.items.find(({ buyer }) => buyer.id === search.get('acheteur')) ?? data.items[0]
  if (!chosen)
    return (
      <EmptyState
        title="Aucune charge n’est répartie"
        why={
          'Une copropriété ou un bailleur reçoit une seule facture\u00a0: donnez ses lots et leurs tantièmes, et chaque facture se répartit au centime près.'
        }
        action={<EditLots />}
      />
    )
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <div className="flex flex-wrap items-end gap-3">
        <Select
          aria-label="Acheteur"
          className="sm:w-72"
          value={chosen.buyer.id}
          options={data.items.map(({ buyer }) => ({ value: buyer.id, label: buyer.name }))}
          onChange={({ target }) =>
            setSearch((old) => {
              old.set('acheteur', target.value)
              return old
            })
          }
        />
        <Select
          aria-label="Période de fourniture"
          className="sm:w-52"
          value={value}
          options={spans}
          onChange={({ target }) => choose(target.value)}
        />
        <div className="flex flex-wrap gap-2 sm:ml-auto">
          <EditLots of={chosen.buyer.id} name={chosen.buyer.name} />
          <EditLots />
        </div>
      </div>
      <LotChargesPanel id={chosen.buyer.id} from={from} to={to} />
    </div>
  )
}
