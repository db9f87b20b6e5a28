import { DISMISSAL_DAYS } from '@voisol/contract/insight-rules'
import { DismissInsight, type Insight, insights } from '@voisol/contract/insights'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { Textarea } from '../../../components/input.tsx'
import { useSchemaForm } from '../../../lib/form.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'

/** Why a finding is not one; it stays silent for its time. */
export default function DismissInsightDialog({ insight, onClose }: { insight: Insight; onClose: () => void }) {
  const dismiss = useAction(insights.dismiss, [insights.list])
  const form = useSchemaForm(DismissInsight, {
    defaults: { reason: '', version: insight.version },
    save: async (body) => {
      await dismiss.run({ params: { id: insight.id }, body })
      toast({ title: 'Constat écarté', variant: 'success' })
      onClose()
    },
  })
  return (
    <Dialog
      title="Écarter ce constat"
      description={`Il se tait ${DISMISSAL_DAYS} jours, sauf s’il grandit de moitié.`}
      open
      onOpenChange={(is) => !is && onClose()}
    >
      <form onSubmit={form.submit} noValidate className="grid gap-5">
        <FormErrors form={form} />
        <Field form={form} name="reason" label="Raison">
          {(control) => <Textarea {...control} />}
        </Field>
        <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
          Écarter
        </Button>
      </form>
    </Dialog>
  )
}
