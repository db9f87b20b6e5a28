import { parties } from '@voisol/contract/parties'
import type { Seller } from '@voisol/contract/sellers'
import { useState } from 'react'
import { withAccess } from '../../../lib/can.tsx'
import { useSchemaForm } from '../../../lib/form.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormErrors } from '../../../ui/form-errors.tsx'
import { SellerFields } from './fields.tsx'
import { SellerForm, toSellerBody, toSellerFormDefaults } from './form.ts'

function SellerEditForm({ seller, onDone }: { seller: Seller; onDone: () => void }) {
  const update = useAction(parties.updateSeller, [parties.sellers])
  // The version of the moment the form was opened: a refresh behind it must not hide that somebody else wrote.
  const [{ id, version }] = useState(seller)
  const form = useSchemaForm(SellerForm, {
    defaults: toSellerFormDefaults(seller),
    save: async (value) => {
      await update.run({ params: { id }, body: { ...toSellerBody(value), version } })
      toast({ title: 'Vendeur enregistré', variant: 'success' })
      onDone()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-6">
      <FormErrors form={form} />
      <SellerFields form={form} organiser={seller.participantId === null} issued={seller.documents > 0} />
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Enregistrer le vendeur
      </Button>
    </form>
  )
}

export const EditSellerButton = withAccess(parties.updateSeller, ({ seller }: { seller: Seller }) => {
  const [open, setOpen] = useState(false)
  return (
    <Dialog
      title="Modifier le vendeur"
      description="Les factures déjà émises gardent l’identité de leur jour."
      width="wide"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button variant="secondary" size="small">
          Modifier
        </Button>
      }
    >
      <SellerEditForm seller={seller} onDone={() => setOpen(false)} />
    </Dialog>
  )
})
