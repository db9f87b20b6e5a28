import { type WhiteLabel, WhiteLabelUpdate, whiteLabel } from '@voisol/contract/white-label'
import { useSchemaForm } from '../../lib/form.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { applyWhiteLabel } from '../../lib/white-label.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FormErrors } from '../../ui/form-errors.tsx'
import { ColourSection } from './colour-section.tsx'
import type { BrandRecord } from './draft.ts'
import { BrandPreview } from './preview.tsx'
import { BrandIdentitySection, BrandPortalSection, ImageSection, ShapeSection } from './sections.tsx'

/** Every part of a company's look, and beside it what it becomes. */
export function BrandForm({ brand, companyId }: { brand: BrandRecord; companyId: number }) {
  const update = useAction(whiteLabel.update, [whiteLabel.get])
  const { customDomain: _, ...values } = brand
  const form = useSchemaForm(WhiteLabelUpdate, {
    defaults: values,
    save: async (body) => {
      applyWhiteLabel(
        await update.run({ params: { companyId }, body: { ...pickChanged(body), version: body.version } }),
      )
      toast({ title: 'Marque enregistrée', variant: 'success' })
    },
  })
  const { dirtyFields } = form.formState
  // What was left as it is follows the defaults, and the company's own record.
  const pickChanged = <T extends object>(values: T) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => name in dirtyFields))
  const look: WhiteLabel = { ...brand, ...form.watch() }
  return (
    <form
      onSubmit={form.submit}
      noValidate
      className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_minmax(0,30rem)]"
    >
      <div className="grid gap-6">
        <FormErrors form={form} />
        <BrandIdentitySection form={form} />
        <ColourSection form={form} look={look} />
        <ImageSection form={form} look={look} companyId={companyId} />
        <ShapeSection form={form} />
        <BrandPortalSection form={form} />
      </div>
      <Card title="Aperçu" description="Rien n’est changé avant d’enregistrer." className="xl:sticky xl:top-20">
        <div className="grid gap-5">
          <BrandPreview look={look} changed={pickChanged(look)} companyId={companyId} />
          <Button type="submit" className="justify-self-start" loading={form.formState.isSubmitting}>
            Enregistrer la marque
          </Button>
        </div>
      </Card>
    </form>
  )
}
