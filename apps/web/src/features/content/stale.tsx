import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import type { ContentEditorState } from './use-content.ts'

/** Somebody else saved first: nothing is overwritten, and nothing typed is lost without a word. */
export function StaleContentNotice({ writing }: { writing: ContentEditorState }) {
  const [text] = useState(() => writing.form.getValues('body'))
  return (
    <section
      aria-label="Modifié entre-temps"
      className="flex flex-wrap items-center gap-3 rounded-card border border-warning/30 bg-warning-soft p-4 text-body"
    >
      <p className="min-w-60 flex-1">
        Quelqu’un a enregistré ce contenu pendant que vous l’écriviez. Gardez une copie de votre texte, puis rechargez
        pour repartir de ce qui est enregistré.
      </p>
      <CopyButton text={text} label="Copier mon texte" />
      <Confirm
        trigger={
          <Button variant="secondary" size="small">
            Recharger
          </Button>
        }
        title="Recharger ce contenu&nbsp;?"
        description="Ce que vous avez écrit ici sera remplacé par ce qui est enregistré."
        action="Recharger"
        tone="primary"
        onConfirm={writing.reload}
      />
    </section>
  )
}
