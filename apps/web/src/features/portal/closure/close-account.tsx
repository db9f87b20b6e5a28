import { useQuery } from '@tanstack/react-query'
import { type AccountClosureFacts, AccountClosureRequest, closure } from '@voisol/contract/closure'
import { Button } from '../../../components/button.tsx'
import { Checkbox } from '../../../components/checkbox.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { PasswordInput } from '../../../components/password-input.tsx'
import { useSchemaForm } from '../../../lib/form.ts'
import { formatCount, formatMoney } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { logout } from '../../../lib/session.ts'
import { toast } from '../../../lib/toast.ts'

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

/** What ends at once, in the words of somebody who asks. */
export const listImmediateEffects = ({ agreements, elsewhere }: AccountClosureFacts): string[] => [
  'Vous ne pouvez plus ouvrir votre espace, sur aucun appareil.',
  'Vos messages et vos jetons sont supprimés.',
  ...(agreements
    ? [`${formatCount(agreements, 'accord facultatif est retiré', 'accords facultatifs sont retirés')}.`]
    : []),
  elsewhere
    ? 'Votre compte reste ouvert pour les autres organisations où vous êtes.'
    : 'Votre nom, votre adresse e-mail, votre téléphone et vos clés d’accès sont effacés de votre compte.',
]

/** What the account does not decide: it goes on. */
export const listContinuingObligations = ({ running, open }: AccountClosureFacts): string[] => [
  ...(running.length
    ? [
        `Votre participation continue dans ${running.join(', ')}. Pour la quitter, demandez-le d’abord depuis votre profil.`,
      ]
    : []),
  ...(open > 0
    ? [`${formatMoney(open)} restent à payer. Votre organisateur peut vous écrire par la poste ou par e-mail.`]
    : []),
]

/** What the law keeps, and why. */
const KEPT_DATA_TEXTS = [
  'Vos factures et vos paiements, dix ans\u00a0: le code de commerce le demande (article L123-22).',
  'Vos mesures passées, sous un numéro\u00a0: sans elles, les factures de vos voisins ne se prouvent plus.',
  'La preuve de vos accords, et le journal de vos actions.',
]
