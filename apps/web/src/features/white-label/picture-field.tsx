import { MAX_PICTURE_BYTES, type PictureKind, whiteLabel } from '@voisol/contract/white-label'
import { useState } from 'react'
import { explainError } from '../../lib/explain.ts'
import { formatNumber } from '../../lib/format.ts'
import { useAction } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { FileDrop } from '../../ui/file-drop.tsx'

const ACCEPTED_FILES: Record<PictureKind, string> = {
  logo: '.png,.jpg,.jpeg,.webp,.svg',
  favicon: '.png,.ico,.svg,.jpg,.jpeg,.webp',
}
type Props = {
  kind: PictureKind
  label: string
  hint: string
  companyId: number
  src: string
  onChange: (src: string) => void
}

/** The picture that is worn, another in its place, or none. It is worn once the form is saved. */
export function BrandImageField({ kind, label, hint, companyId, src, onChange }: Props) {
  const add = useAction(whiteLabel.addPicture, [])
  const [refusal, setRefusal] = useState('')
  const maxSize = `${formatNumber(MAX_PICTURE_BYTES[kind] / 1000)}\u00a0ko`
  const uploadPicture = async (file: File) => {
    setRefusal('')
    if (file.size > MAX_PICTURE_BYTES[kind]) return setRefusal(`Le fichier dépasse ${maxSize}\u00a0: réduisez-le.`)
    try {
      onChange((await add.run({ params: { companyId }, query: { kind }, upload: file })).src)
    } catch (error) {
      setRefusal(explainError(error))
    }
  }
  return (
    <fieldset className="grid min-w-0 content-start gap-2">
      <legend className="mb-2 text-body font-medium">{label}</legend>
      {src && (
        <div className="flex flex-wrap items-center gap-3">
          <img
            src={src}
            alt={`${label} choisi`}
            className="h-12 max-w-48 rounded-md border border-line bg-card object-contain p-1"
          />
          <Button size="small" variant="quiet" onClick={() => onChange('')}>
            Retirer
          </Button>
        </div>
      )}
      <FileDrop
        accept={ACCEPTED_FILES[kind]}
        label={src ? 'Choisir un autre fichier' : 'Choisir un fichier'}
        hint={`${hint} ${maxSize} au plus.`}
        disabled={add.isPending}
        onFile={(file) => void uploadPicture(file)}
      />
      {refusal && (
        <p role="alert" className="text-[0.8125rem] text-danger">
          {refusal}
        </p>
      )}
    </fieldset>
  )
}
