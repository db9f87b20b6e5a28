import type { SiteImage } from '@voisol/contract/content'
import ImagePlus from 'lucide-react/icons/image-plus'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { Card } from '../../ui/card.tsx'
import { cx } from '../../ui/cx.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { controlClass } from '../../ui/input.tsx'
import { ImagePicker } from './image-picker.tsx'
import * as edits from './markdown-edits.ts'
import { Preview } from './preview.tsx'
import { named, TOOLS, toolOf } from './tools.ts'
import type { Writing } from './use-content.ts'
import { writeIn } from './write-in.ts'

type Run = (edit: (selected: edits.Selected) => edits.Edit) => void

function Toolbar({ run, onImage }: { run: Run; onImage: () => void }) {
  return (
    <fieldset className="flex flex-wrap gap-0.5 rounded-t-control border border-b-0 border-control bg-page p-1">
      <legend className="sr-only">Mise en forme</legend>
      {TOOLS.map((tool) => (
        <IconButton key={tool.label} label={named(tool)} icon={<tool.icon />} onClick={() => run(tool.edit)} />
      ))}
      <IconButton label="Image" icon={<ImagePlus />} onClick={onImage} />
    </fieldset>
  )
}

function useEditing() {
  const field = useRef<HTMLTextAreaElement | null>(null)
  const run: Run = (edit) => field.current && writeIn(field.current, edit)
  const press = (event: KeyboardEvent) => {
    const tool = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && toolOf(event.key)
    if (!tool) return
    event.preventDefault()
    event.stopPropagation() // some of these keys mean something else to the rest of the product
    run(tool.edit)
  }
  return { field, run, press }
}

/** The text in Markdown, beside what readers will see of it. */
export function BodyField({ writing: { form, kind } }: { writing: Writing }) {
  const id = useId()
  const { field, run, press } = useEditing()
  const [choosing, setChoosing] = useState(false)
  const { ref, ...control } = form.register('body')
  const insert = ({ src }: SiteImage) => {
    setChoosing(false)
    // The dialog gives focus back first: the words to type over must stay selected.
    setTimeout(() => run(edits.image(src)), 50)
  }
  return (
    <Card title={kind === 'faq' ? 'Réponse complète' : 'Texte'}>
      <div className="grid gap-6 lg:grid-cols-2 [&>*]:min-w-0">
        <div className="grid content-start">
          <label htmlFor={id} className="mb-1.5 text-body font-medium">
            <span data-label="">Texte en Markdown</span>
          </label>
          <Toolbar run={run} onImage={() => setChoosing(true)} />
          <textarea
            {...control}
            ref={(element) => {
              field.current = element
              ref(element)
            }}
            id={id}
            onKeyDown={press}
            spellCheck
            className={cx(
              controlClass,
              'h-[65dvh] min-h-80 resize-y rounded-t-none p-3 font-mono text-[0.8125rem] leading-relaxed',
            )}
          />
        </div>
        <Preview form={form} />
      </div>
      {choosing && <ImagePicker onChoose={insert} onClose={() => setChoosing(false)} />}
    </Card>
  )
}
