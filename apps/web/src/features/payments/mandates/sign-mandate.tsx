import { useQuery } from '@tanstack/react-query'
import { mandates } from '@voisol/contract/mandates'
import { Bic } from '@voisol/contract/party-numbers'
import { Text } from '@voisol/contract/primitives'
import { z } from 'zod'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { useSchemaForm } from '../../../lib/form.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { AccountFields } from './bank-account-fields.tsx'

const SignForm = z.object({ holder: Text, iban: z.string().min(1).max(60), bic: Bic, name: Text })
type MandateParties = { creditorId: string; participantId: string }

type SignMandateFormProps = {
  whose: MandateParties
  shown: { text: string; hash: string }
  witnessed: boolean
  onClose: () => void
}

function SignMandateForm({ whose: parties, shown: mandateText, witnessed, onClose }: SignMandateFormProps) {
  const sign = useAction(mandates.sign, [mandates.list])
  const form = useSchemaForm(SignForm, {
    defaults: { holder: '', iban: '', bic: '', name: '' },
    save: async (values) => {
      const { rum } = await sign.run({ body: { ...parties, ...values, hash: mandateText.hash } })
      toast({
        title: 'Mandat signé',
        description: `${witnessed ? 'Sa' : 'Votre'} référence (RUM)\u00a0: ${rum}.`,
        variant: 'success',
      })
      onClose()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <section
        aria-label="Texte du mandat"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard
        tabIndex={0}
        className="max-h-56 overflow-y-auto rounded-card border border-line bg-page p-4 text-body whitespace-pre-line"
      >
        {mandateText.text}
      </section>
      <AccountFields form={form} />
      <Field
        form={form}
        name="name"
        label={witnessed ? 'Signature du débiteur' : 'Votre signature'}
        hint={
          witnessed
            ? 'Le débiteur écrit son nom en toutes lettres\u00a0: la date, l’heure, l’adresse IP et votre nom sont gardés comme preuve.'
            : 'Écrivez votre nom en toutes lettres\u00a0: la date, l’heure et votre adresse IP sont gardées comme preuve.'
        }
        autoComplete="off"
      />
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Signer le mandat
      </Button>
    </form>
  )
}

/** The text, the account, and the name typed by hand: what is kept is what was shown. */
type SignProps = {
  whose: MandateParties /** Signed in the office, in front of somebody. */
  witnessed?: boolean
  onClose: () => void
}
export default function SignMandateDialog({ whose, witnessed = false, onClose }: SignProps) {
  const { data, error, refetch } = useQuery(query(mandates.text, { query: whose }))
  return (
    <Dialog title="Signer un mandat de prélèvement" width="medium" open onOpenChange={onClose}>
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : data ? (
        <SignMandateForm whose={whose} shown={data} witnessed={witnessed} onClose={onClose} />
      ) : (
        <Skeleton className="h-64 w-full" />
      )}
    </Dialog>
  )
}
