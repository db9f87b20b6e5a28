import { useQuery } from '@tanstack/react-query'
import { type AccountClosureFacts, AccountClosureRequest, closure } from '@voisol/contract/closure'
import { useSchemaForm } from '../../lib/form.ts'
import { query, useAction } from '../../lib/queries.ts'
import { logout } from '../../lib/session.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Field } from '../../ui/field.tsx'
import { FormErrors } from '../../ui/form-errors.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { KEPT_DATA_TEXTS, listContinuingObligations, listImmediateEffects } from './words.ts'

const ClosureSection = ({ title, lines }: { title: string; lines: string[] }) =>
  lines.length > 0 && (
    <section className="grid gap-1">
      <h3 className="font-semibold">{title}</h3>
      <ul className="grid list-disc gap-1 pl-5">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </section>
  )

const ClosureConsequences = ({ facts }: { facts: AccountClosureFacts }) => (
  <>
    <ClosureSection title="Ce qui s’arrête tout de suite" lines={listImmediateEffects(facts)} />
    <ClosureSection title="Ce qui continue" lines={listContinuingObligations(facts)} />
    <ClosureSection title="Ce qui est gardé" lines={KEPT_DATA_TEXTS} />
  </>
)

export default function CloseAccount() {
  const { data, error, refetch } = useQuery(query(closure.look, {}))
  const close = useAction(closure.close, [])
  const form = useSchemaForm(AccountClosureRequest, {
    defaults: { password: '', erase: false },
    save: async (body) => {
      await close.run({ body })
      toast({ title: 'Votre compte est fermé', description: 'Un e-mail vous le confirme.', variant: 'success' })
      await logout('user', '/')
    },
  })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-64 w-full" />
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-5">
      <ClosureConsequences facts={data} />
      <p>Pensez à télécharger vos données avant de fermer votre compte.</p>
      <FormErrors form={form} />
      <Checkbox
        {...form.register('erase')}
        label="Effacer aussi ce que mon organisateur sait de moi"
        hint="Vos messages partent tout de suite. Votre nom et vos coordonnées partent au plus tôt quinze mois après votre départ, quand plus rien n’est dû."
      />
      <Field form={form} name="password" label="Mot de passe">
        {(control) => <PasswordInput {...control} />}
      </Field>
      <Button type="submit" variant="danger" className="justify-self-end" loading={form.formState.isSubmitting}>
        Fermer mon compte
      </Button>
    </form>
  )
}
