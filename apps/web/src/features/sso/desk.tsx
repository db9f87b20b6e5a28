import { useQuery } from '@tanstack/react-query'
import { sso } from '@voisol/contract/sso'
import { Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import { only } from '../../lib/can.tsx'
import { useSchemaForm } from '../../lib/form.ts'
import { query, useAction } from '../../lib/queries.ts'
import { useUser } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmAddressFirst } from '../../ui/confirm-address-first.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Field } from '../../ui/field.tsx'
import { FormErrors } from '../../ui/form-errors.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Select } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Connection } from './connection.tsx'
import { KINDS } from './words.ts'

const Journal = lazy(() => import('./journal.tsx'))
const Trial = lazy(() => import('./trial.tsx'))

function AddForm({ onDone }: { onDone: () => void }) {
  const create = useAction(sso.create, [sso.list])
  const form = useSchemaForm(sso.create.body, {
    defaults: { name: '', kind: 'oidc' },
    save: async (body) => {
      await create.run({ body })
      onDone()
    },
  })
  const kind = form.watch('kind')
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-5">
      <FormErrors form={form} />
      <Field form={form} name="name" label="Nom" placeholder="Annuaire de la mairie" autoComplete="off" />
      <Field form={form} name="kind" label="Protocole" hint={KINDS[kind].hint}>
        {(control) => (
          <Select {...control} options={Object.entries(KINDS).map(([value, { label }]) => ({ value, label }))} />
        )}
      </Field>
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Ajouter la connexion
      </Button>
    </form>
  )
}

const Add = only(sso.create, () => {
  const [open, setOpen] = useState(false)
  const { emailVerified } = useUser()
  return (
    <Dialog
      title="Ajouter une connexion d’entreprise"
      open={open}
      onOpenChange={setOpen}
      trigger={<Button>Ajouter une connexion</Button>}
    >
      {emailVerified ? (
        <AddForm onDone={() => setOpen(false)} />
      ) : (
        <ConfirmAddressFirst purpose="pour ajouter une connexion d’entreprise" />
      )}
    </Dialog>
  )
})

function Connections() {
  const { data, error, refetch } = useQuery({ ...query(sso.list, {}), staleTime: 0 })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  if (data.items.length === 0)
    return (
      <EmptyState
        title="Chacun entre encore avec son mot de passe"
        why="Branchez le fournisseur d’identité de votre organisation&#160;: vos collègues entrent avec le compte qu’ils ont déjà, et qui part perd ses accès aussitôt."
        action={<Add />}
      />
    )
  return data.items.map((connection) => <Connection key={connection.id} connection={connection} />)
}

/** How the people of the organisation are known without a password of ours. */
export default function SsoDesk() {
  const [search] = useSearchParams()
  const trial = search.get('essai')
  const { data } = useQuery({ ...query(sso.list, {}), staleTime: 0 })
  return (
    <>
      <PageHeader
        title="Connexion unique"
        description="Vos collègues entrent avec le compte de votre organisation, par OpenID Connect ou SAML, domaine par domaine."
        actions={data && data.items.length > 0 && <Add />}
      />
      <div className="grid gap-6 [&>*]:min-w-0">
        <Connections />
        <Suspense fallback={<Skeleton className="h-40 w-full" />}>
          <Journal />
        </Suspense>
      </div>
      <Suspense fallback={null}>{trial && <Trial id={trial} />}</Suspense>
    </>
  )
}
