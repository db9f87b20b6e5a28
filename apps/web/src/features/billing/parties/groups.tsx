import { useQuery } from '@tanstack/react-query'
import { type BuyerGroup, NewBuyerGroup } from '@voisol/contract/buyers'
import { parties } from '@voisol/contract/parties'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Confirm, Dialog } from '../../../components/dialog.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { useCan, withAccess } from '../../../lib/can.tsx'
import { useSchemaForm } from '../../../lib/form.ts'
import { formatCount } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'

const DEPENDENT_QUERIES = [parties.groups, parties.buyers]

function GroupForm({ group, onDone }: { group?: BuyerGroup; onDone: () => void }) {
  const add = useAction(parties.addGroup, DEPENDENT_QUERIES)
  const update = useAction(parties.updateGroup, DEPENDENT_QUERIES)
  const [initialGroup] = useState(group)
  const form = useSchemaForm(NewBuyerGroup, {
    defaults: { name: initialGroup?.name ?? '', note: initialGroup?.note ?? '' },
    save: async (body) => {
      if (initialGroup)
        await update.run({ params: { id: initialGroup.id }, body: { ...body, version: initialGroup.version } })
      else await add.run({ body })
      toast({ title: initialGroup ? 'Groupe enregistré' : 'Groupe créé', description: body.name, variant: 'success' })
      onDone()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4 rounded-card bg-page p-4">
      <FormErrors form={form} />
      <Field form={form} name="name" label="Nom du groupe" placeholder="Tarif social" autoComplete="off" />
      <Field
        form={form}
        name="note"
        label="Note"
        hint="Qui en est, et par quelle décision."
        autoComplete="off"
        optional
      />
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="quiet" onClick={onDone}>
          Annuler
        </Button>
        <Button type="submit" loading={form.formState.isSubmitting}>
          {initialGroup ? 'Enregistrer le groupe' : 'Créer le groupe'}
        </Button>
      </div>
    </form>
  )
}

const RemoveGroup = withAccess(parties.removeGroup, ({ group: { id, name } }: { group: BuyerGroup }) => {
  const remove = useAction(parties.removeGroup, DEPENDENT_QUERIES)
  return (
    <Confirm
      title={`Supprimer «\u00a0${name}\u00a0»\u00a0?`}
      description="Aucun acheteur ni aucun tarif ne le nomme plus. Cette action est définitive."
      action="Supprimer le groupe"
      onConfirm={() => remove.run({ params: { id } })}
      trigger={
        <Button variant="quiet" size="small" aria-label={`Supprimer ${name}`}>
          Supprimer
        </Button>
      }
    />
  )
})

function GroupRow({ group, onEdit }: { group: BuyerGroup; onEdit: () => void }) {
  const can = useCan()
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-3 text-body first:pt-0">
      <span className="min-w-0 flex-1 basis-48">
        <span className="block font-medium">{group.name}</span>
        <span className="block text-[0.8125rem] text-ink-soft">
          {[formatCount(group.members, 'acheteur'), group.note].filter(Boolean).join(' · ')}
        </span>
      </span>
      {group.members === 0 && <RemoveGroup group={group} />}
      {can(parties.updateGroup) && (
        <Button variant="secondary" size="small" aria-label={`Modifier ${group.name}`} onClick={onEdit}>
          Modifier
        </Button>
      )}
    </li>
  )
}

/** People whom a tariff may name together. Who is in one is said on each buyer. */
export default function GroupsDialog({ onClose }: { onClose: () => void }) {
  const { data, error, refetch } = useQuery(query(parties.groups, {}))
  const [edited, setEdited] = useState<{ group?: BuyerGroup }>()
  const can = useCan()
  return (
    <Dialog
      title="Groupes d’acheteurs"
      description="Un tarif peut nommer un groupe&nbsp;; chacun y entre par son identité de facturation."
      open
      onOpenChange={(open) => !open && onClose()}
    >
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton className="h-32 w-full" />}
      {data && (
        <div className="grid gap-4">
          {data.items.length > 0 ? (
            <ul className="divide-y divide-line">
              {data.items.map((group) => (
                <GroupRow key={group.id} group={group} onEdit={() => setEdited({ group })} />
              ))}
            </ul>
          ) : (
            <p className="text-body text-ink-soft">Aucun groupe pour l’instant.</p>
          )}
          {edited ? (
            <GroupForm key={edited.group?.id ?? 'new'} {...edited} onDone={() => setEdited(undefined)} />
          ) : (
            can(parties.addGroup) && (
              <Button className="justify-self-end" onClick={() => setEdited({})}>
                Créer un groupe
              </Button>
            )
          )}
        </div>
      )}
    </Dialog>
  )
}
