import type { Endpoint } from '@voisol/contract/endpoint'
import { points as endpoints } from '@voisol/contract/points'
import { useId, useState } from 'react'
import { plural } from '../../../lib/format.ts'
import { parsePosition, positionText } from '../../../lib/position.ts'
import { useAction } from '../../../lib/queries.ts'
import { reasonOf } from '../../../lib/reason.ts'
import { toast } from '../../../lib/toast.ts'
import { Button } from '../../../ui/button.tsx'
import { FieldFrame } from '../../../ui/field-frame.tsx'
import { Input } from '../../../ui/input.tsx'
import { distance, distanceText, type Place } from '../../../ui/map/geo.ts'
import { isMeasured, type PerimeterPoint } from '../../../ui/map/points.ts'
import { Select } from '../../../ui/select.tsx'

export type Movable = { id: string; label: string; version: number; isVague: boolean; commune?: string | null }
export type Moving = { point: Movable; at: Place; moved: boolean }
/** Where nothing better is known, the pin waits in the middle of a commune or of the others: that is nobody's place. */
export const isPlaced = ({ point, moved }: Pick<Moving, 'point' | 'moved'>) => moved || !point.isVague
type Props = {
  choices: Movable[]
  others: PerimeterPoint[]
  moving: Moving | null
  onChoose: (point: Movable | null) => void
  onMove: (at: Place) => void
  refreshes: Endpoint[]
}

const textOf = ({ lat, lon }: Place) => positionText({ latitude: lat, longitude: lon })

/** What is known of a place that is still to be set right. */
export const choiceLabel = ({ label, isVague, commune }: Pick<Movable, 'label' | 'isVague' | 'commune'>) =>
  isVague ? `${label} (à situer${commune ? `, commune\u00a0: ${commune}` : ''})` : label

/** How far the farthest of the others would be, in words. */
function reach({ point, at }: Moving, others: PerimeterPoint[]) {
  const far = others.filter((one) => one.id !== point.id && isMeasured(one)).map((one) => distance(one, at))
  return far.length ? `À ${distanceText(Math.max(...far))} du point le plus éloigné.` : ''
}

function Coordinates({ at, onMove }: { at: Place; onMove: (at: Place) => void }) {
  const id = useId()
  const [typed, setTyped] = useState<string | null>(null)
  const change = (text: string) => {
    setTyped(text)
    const place = parsePosition(text)
    if (place) onMove({ lat: place.latitude, lon: place.longitude })
  }
  return (
    <FieldFrame id={id} label="Coordonnées" hint="Vous pouvez aussi les coller ici.">
      <Input
        id={id}
        value={typed ?? textOf(at)}
        onChange={(event) => change(event.target.value)}
        onBlur={() => setTyped(null)}
      />
    </FieldFrame>
  )
}

/** Chooses a point, says where its pin stands, and keeps it. */
export function PlaceForm({ choices, others, moving, onChoose, onMove, refreshes }: Props) {
  const id = useId()
  const place = useAction(endpoints.place, refreshes)
  const vague = choices.filter(({ isVague }) => isVague).length
  const keep = async ({ point, at }: Moving) => {
    try {
      const body = { latitude: at.lat, longitude: at.lon, version: point.version }
      await place.run({ params: { id: point.id }, body })
      toast({ title: 'Point placé', description: point.label, variant: 'success' })
      onChoose(null)
    } catch (error) {
      toast({ title: 'Le point n’a pas été placé', description: reasonOf(error), variant: 'destructive' })
    }
  }
  return (
    <section aria-label="Placer un point" className="grid gap-4 rounded-card border border-line bg-page p-4">
      <FieldFrame
        id={id}
        label="Placer un point sur la carte"
        hint={
          vague > 0 ? `${plural(vague, 'point reste à situer', 'points restent à situer')} précisément.` : undefined
        }
      >
        <Select
          id={id}
          value={moving?.point.id ?? ''}
          onChange={({ target }) => onChoose(choices.find((one) => one.id === target.value) ?? null)}
          options={[
            { value: '', label: 'Choisir un point' },
            ...choices.map((one) => ({ value: one.id, label: choiceLabel(one) })),
          ]}
        />
      </FieldFrame>
      {moving && (
        <>
          <Coordinates at={moving.at} onMove={onMove} />
          <p role="status" className="text-body text-ink-soft">
            Faites glisser l’épingle, ou déplacez-la avec les flèches du clavier&nbsp;: 10&nbsp;m, ou 100&nbsp;m avec
            Maj.{' '}
            {isPlaced(moving)
              ? reach(moving, others)
              : 'Son lieu exact n’est pas connu\u00a0: l’épingle attend que vous la posiez.'}
          </p>
          <div className="flex flex-wrap justify-end gap-2">
            <Button variant="quiet" onClick={() => onChoose(null)}>
              Annuler
            </Button>
            <Button disabled={!isPlaced(moving)} loading={place.isPending} onClick={() => void keep(moving)}>
              Enregistrer cette position
            </Button>
          </div>
        </>
      )}
    </section>
  )
}
