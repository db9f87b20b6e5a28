import { useQuery } from '@tanstack/react-query'
import { backups, InstallationKey, type TrustedInstallation } from '@voisol/contract/backups'
import { Text } from '@voisol/contract/primitives'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { z } from 'zod'
import { withAccess } from '../../lib/can.tsx'
import { formatDate } from '../../lib/format.ts'
import { query, useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Field } from '../../ui/field.tsx'
import { FormErrors } from '../../ui/form-errors.tsx'
import { Reauthentication, reauthenticationFields, useReauthenticationForm } from '../../ui/reauthentication.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { TableSkeleton } from '../../ui/table-skeleton.tsx'

const TrustForm = z.object({ name: Text, publicKey: InstallationKey, ...reauthenticationFields })

function AddTrustedForm({ onDone }: { onDone: () => void }) {
  const trust = useAction(backups.trust, [backups.trusted])
  const form = useReauthenticationForm(TrustForm, {
    defaults: { name: '', publicKey: '', password: '' },
    save: async ({ name, publicKey }, proof) => {
      await trust.run({ body: { name, publicKey, ...proof } })
      toast({ title: 'Installation ajoutée', description: name, variant: 'success' })
      onDone()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <Field form={form} name="name" label="Nom de l’installation" hint="Par exemple «&nbsp;Voisol de Lyon&nbsp;»." />
      <Field
        form={form}
        name="publicKey"
        label="Clé publique"
        hint="Celle que son écran «&nbsp;Copies&nbsp;» affiche. Faites-vous la confirmer de vive voix par son exploitant."
      />
      <Reauthentication form={form} action="Faire confiance à cette installation" />
    </form>
  )
}

const AddButton = withAccess(backups.trust, () => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="secondary" icon={<Plus aria-hidden="true" />} onClick={() => setOpen(true)}>
        Ajouter une installation
      </Button>
      <Dialog
        title="Faire confiance à une installation"
        description="Les copies d’organisations qu’elle a signées se reprendront ici en entier, comme celles de cette installation."
        open={open}
        onOpenChange={setOpen}
      >
        <AddTrustedForm onDone={() => setOpen(false)} />
      </Dialog>
    </>
  )
})

const RemoveTrustedButton = withAccess(backups.distrust, ({ trusted }: { trusted: TrustedInstallation }) => {
  const remove = useAction(backups.distrust, [backups.trusted])
  return (
    <Confirm
      title={`Retirer ${trusted.name}\u00a0?`}
      description="Ses copies n’apporteront plus que des participants, des points et leurs courbes. Ce qui a été repris reste."
      action="Retirer cette installation"
      onConfirm={() => remove.run({ params: { id: trusted.id } })}
      trigger={
        <Button variant="quiet" size="small">
          Retirer
        </Button>
      }
    />
  )
})

const columns: Column<TrustedInstallation>[] = [
  {
    header: 'Installation',
    card: 'title',
    cell: ({ name, addedBy, createdAt }) => (
      <span className="block min-w-48">
        <span className="block font-medium">{name}</span>
        <span className="block text-[0.8125rem] text-ink-soft">{`${addedBy}, le ${formatDate(createdAt)}`}</span>
      </span>
    ),
  },
  { header: 'Clé publique', card: 'primary', cell: ({ publicKey }) => <code className="break-all">{publicKey}</code> },
]

/** Whose archives of companies are believed beside those of this installation. */
export function TrustedInstallations() {
  const { data, error, refetch } = useQuery(query(backups.trusted, {}))
  return (
    <Card
      title="Installations de confiance"
      description="La copie d’une organisation signée par l’une d’elles se reprend ici en entier. Toute autre n’apporte que des participants, des points et leurs courbes."
      actions={<AddButton />}
    >
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : !data ? (
        <TableSkeleton label="Installations de confiance" />
      ) : (
        <div className="grid gap-5 [&>*]:min-w-0">
          <div className="grid gap-1 text-body">
            <p className="text-ink-soft">Clé publique de cette installation, à donner à une autre&nbsp;:</p>
            <div className="flex flex-wrap items-center gap-3">
              <code className="break-all">{data.publicKey}</code>
              <CopyButton text={data.publicKey} />
            </div>
          </div>
          {data.items.length === 0 ? (
            <EmptyState
              title="Aucune autre installation"
              why="Les copies faites ici sont toujours reconnues. Ajoutez la clé d’une autre installation pour reprendre les siennes en entier."
              because="all-well"
            />
          ) : (
            <Table
              label="Installations de confiance"
              rows={data.items}
              columns={columns}
              rowActions={(trusted) => <RemoveTrustedButton trusted={trusted} />}
            />
          )}
        </div>
      )}
    </Card>
  )
}
