import { parties } from '@voisol/contract/parties'
import { Day } from '@voisol/contract/primitives'
import type { BillingMandate } from '@voisol/contract/sellers'
import { useState } from 'react'
import { z } from 'zod'
import { Button } from '../../../../components/button.tsx'
import { Checkbox } from '../../../../components/checkbox.tsx'
import { Dialog } from '../../../../components/dialog.tsx'
import { Field, FormErrors } from '../../../../components/field.tsx'
import { dayInputSchema } from '../../../../lib/field-schemas.ts'
import { useSchemaForm } from '../../../../lib/form.ts'
import { useAction } from '../../../../lib/queries.ts'
import { toast } from '../../../../lib/toast.ts'

const BillingMandateForm = z.object({ signedOn: Day, startsOn: Day, endsOn: dayInputSchema, collects: z.boolean() })
type Props = { sellerId: string; mandate?: BillingMandate; onClose: () => void }

function BillingMandateEditForm({ sellerId, mandate, onClose }: Props) {
  const add = useAction(parties.addMandate, [parties.sellers])
  const update = useAction(parties.updateMandate, [parties.sellers])
  const [initialMandate] = useState(mandate)
  const form = useSchemaForm(BillingMandateForm, {
    defaults: {
      signedOn: initialMandate?.signedOn ?? '',
      startsOn: initialMandate?.startsOn ?? '',
      endsOn: initialMandate?.endsOn ?? '',
      collects: initialMandate?.collects ?? false,
    },
    save: async (body) => {
      if (initialMandate)
        await update.run({ params: { id: initialMandate.id }, body: { ...body, version: initialMandate.version } })
      else await add.run({ params: { id: sellerId }, body })
      toast({ title: 'Mandat enregistré', variant: 'success' })
      onClose()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <Field form={form} name="signedOn" label="Signé le" type="date" />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field form={form} name="startsOn" label="À partir du" hint="Ce jour est couvert." type="date" />
        <Field form={form} name="endsOn" label="Jusqu’au" hint="Ce jour n’est plus couvert." type="date" optional />
      </div>
      <Checkbox
        label="Il couvre aussi l’encaissement"
        hint="Vous prélevez en votre nom ce qui lui est dû, et le lui reversez."
        {...form.register('collects')}
      />
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Enregistrer le mandat
      </Button>
    </form>
  )
}

export default function BillingMandateDialog(props: Props) {
  return (
    <Dialog
      title={props.mandate ? 'Modifier le mandat' : 'Enregistrer un mandat de facturation'}
      description="Le producteur vous autorise à émettre ses factures en son nom et pour son compte."
      open
      onOpenChange={(open) => !open && props.onClose()}
    >
      <BillingMandateEditForm {...props} />
    </Dialog>
  )
}
