import { useQuery } from '@tanstack/react-query'
import { sso } from '@voisol/contract/sso'
import { Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import { Button } from '../../../components/button.tsx'
import { EmailConfirmationNotice } from '../../../components/confirm-address-first.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { Select } from '../../../components/input.tsx'
import { lazy } from '../../../components/lazy.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { withAccess } from '../../../lib/can.tsx'
import { useSchemaForm } from '../../../lib/form.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { useUser } from '../../../lib/session.ts'
import { SsoConnectionCard } from './connection.tsx'
import { SSO_KIND_LABELS } from './labels.ts'

const SignInLog = lazy(() => import('./sign-in-log.tsx'))
const ConnectionTestDialog = lazy(() => import('./test-result.tsx'))

function AddConnectionForm({ onDone }: { onDone: () => void }) {
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
      <Field form={form} name="kind" label="Protocole" hint={SSO_KIND_LABELS[kind].hint}>
        {(control) => (
          <Select
            {...control}
            options={Object.entries(SSO_KIND_LABELS).map(([value, { label }]) => ({ value, label }))}
          />
        )}
      </Field>
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Ajouter la connexion
      </Button>
    </form>
  )
}

const AddConnectionButton = withAccess(sso.create, () => {
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
        <AddConnectionForm onDone={() => setOpen(false)} />
      ) : (
        <EmailConfirmationNotice purpose="pour ajouter une connexion d’entreprise" />
      )}
    </Dialog>
  )
})

function ConnectionList() {
  const { data, error, refetch } = useQuery({ ...query(sso.list, {}), staleTime: 0 })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  if (data.items.length === 0)
    return (
      <EmptyState
        title="Chacun entre encore avec son mot de passe"
        why="Branchez le fournisseur d’identité de votre organisation&#160;: vos collègues entrent avec le compte qu’ils ont déjà, et qui part perd ses accès aussitôt."
        action={<AddConnectionButton />}
      />
    )
  return data.items.map((connection) => <SsoConnectionCard key={connection.id} connection={connection} />)
}

/** How the people of the organisation are known without a password of ours. */
export default function SsoPage() {
  const [search] = useSearchParams()
  const testId = search.get('essai')
  const { data } = useQuery({ ...query(sso.list, {}), staleTime: 0 })
  return (
    <>
      <PageHeader
        title="Connexion unique"
        description="Vos collègues entrent avec le compte de votre organisation, par OpenID Connect ou SAML, domaine par domaine."
        actions={data && data.items.length > 0 && <AddConnectionButton />}
      />
      <div className="grid gap-6 [&>*]:min-w-0">
        <ConnectionList />
        <Suspense fallback={<Skeleton className="h-40 w-full" />}>
          <SignInLog />
        </Suspense>
      </div>
      <Suspense fallback={null}>{testId && <ConnectionTestDialog id={testId} />}</Suspense>
    </>
  )
}
