import type { SiteImage } from '@voisol/contract/content'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { ImageDrop } from './image-drop.tsx'
import { ImagePicker } from './image-picker.tsx'
import type { ContentEditorState } from './use-content.ts'

type ContentForm = ContentEditorState['form']

function SelectedImage({ form, imageId, onChange }: { form: ContentForm; imageId: string; onChange: () => void }) {
  const remove = () => {
    form.setValue('imageId', null, { shouldDirty: true })
    form.setValue('imageAlt', '', { shouldDirty: true })
  }
  return (
    <div className="grid gap-4 md:grid-cols-[20rem_minmax(0,1fr)]">
      <img
        src={`/api/site-images/${imageId}`}
        alt=""
        className="aspect-video w-full rounded-card border border-line bg-page object-contain"
      />
      <div className="grid content-start gap-4">
        <Field
          form={form}
          name="imageAlt"
          label="Ce que montre l’image"
          hint="Lu à ceux qui ne la voient pas, par exemple «&nbsp;Toit d’école couvert de panneaux&nbsp;»."
        />
        <div className="flex flex-wrap gap-2">
          <Button variant="secondary" onClick={onChange}>
            Changer d’image
          </Button>
          <Button variant="quiet" onClick={remove}>
            Sans image
          </Button>
        </div>
      </div>
    </div>
  )
}

/** The picture at the head of the page, in its list and where it is shared. */
export function ImageField({ writing: { form } }: { writing: ContentEditorState }) {
  const [choosing, setChoosing] = useState(false)
  const imageId = useWatch({ control: form.control, name: 'imageId' })
  const choose = (image: SiteImage) => {
    form.setValue('imageId', image.id, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
    setChoosing(false)
  }
  return (
    <Card title="Image" description="En tête de la page, dans les listes, et quand la page est partagée.">
      {imageId ? (
        <SelectedImage form={form} imageId={imageId} onChange={() => setChoosing(true)} />
      ) : (
        <div className="grid gap-3">
          <ImageDrop onDone={choose} />
          <Button variant="secondary" className="justify-self-start" onClick={() => setChoosing(true)}>
            Choisir parmi les images du site
          </Button>
        </div>
      )}
      {choosing && <ImagePicker onChoose={choose} onClose={() => setChoosing(false)} />}
    </Card>
  )
}
