import type { Endpoint } from '@voisol/contract/endpoint'
import { points as endpoints } from '@voisol/contract/points'
import { useId, useState } from 'react'
import { Button } from '../../../../components/button.tsx'
import { FieldFrame, Input, Select } from '../../../../components/input.tsx'
import {
  computeDistance,
  formatDistance,
  type GeoPoint,
  isPreciselyLocated,
  type PerimeterPoint,
} from '../../../../components/map/geo.ts'
import { getErrorReason } from '../../../../lib/call.ts'
import { formatPosition, parsePosition } from '../../../../lib/field-schemas.ts'
import { formatCount } from '../../../../lib/format.ts'
import { useAction } from '../../../../lib/queries.ts'
import { toast } from '../../../../lib/toast.ts'

export type MovablePoint = { id: string; label: string; version: number; isVague: boolean; commune?: string | null }
export type PointMove = { point: MovablePoint; at: GeoPoint; moved: boolean }
/** Where nothing better is known, the pin waits in the middle of a commune or of the others: that is nobody's place. */
export const hasExactPlace = ({ point, moved }: Pick<PointMove, 'point' | 'moved'>) => moved || !point.isVague
type Props = {
  choices: MovablePoint[]
  others: PerimeterPoint[]
  moving: PointMove | null
  onChoose: (point: MovablePoint | null) => void
  onMove: (at: GeoPoint) => void
  refreshes: Endpoint[]
}

const formatPlace = ({ lat, lon }: GeoPoint) => formatPosition({ latitude: lat, longitude: lon })

/** What is known of a place that is still to be set right. */
export const formatPointChoice = ({ label, isVague, commune }: Pick<MovablePoint, 'label' | 'isVague' | 'commune'>) =>
  isVague ? `${label} (à situer${commune ? `, commune\u00a0: ${commune}` : ''})` : label

/** How far the farthest of the others would be, in words. */
function describeFarthestDistance({ point, at }: PointMove, others: PerimeterPoint[]) {
  const distances = others
    .filter((one) => one.id !== point.id && isPreciselyLocated(one))
    .map((one) => computeDistance(one, at))
  return distances.length ? `À ${formatDistance(Math.max(...distances))} du point le plus éloigné.` : ''
}

function Coordinates({ at, onMove }: { at: GeoPoint; onMove: (at: GeoPoint) => void }) {
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
        value={typed ?? formatPlace(at)}
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
  const vagueCount = choices.filter(({ isVague }) => isVague).length
  const savePlace = async ({ point, at }: PointMove) => {
    try {
      const body = { latitude: at.lat, longitude: at.lon, version: point.version }
      await place.run({ params: { id: point.id }, body })
      toast({ title: 'Point placé', description: point.label, variant: 'success' })
      onChoose(null)
    } catch (error) {
      toast({ title: 'Le point n’a pas été placé', description: getErrorReason(error), variant: 'destructive' })
    }
  }
  return (
    <section aria-label="Placer un point" className="grid gap-4 rounded-card border border-line bg-page p-4">
      <FieldFrame
        id={id}
        label="Placer un point sur la carte"
        hint={
          vagueCount > 0
            ? `${formatCount(vagueCount, 'point reste à situer', 'points restent à situer')} précisément.`
            : undefined
        }
      >
        <Select
          id={id}
          value={moving?.point.id ?? ''}
          onChange={({ target }) => onChoose(choices.find((one) => one.id === target.value) ?? null)}
          options={[
            { value: '', label: 'Choisir un point' },
            ...choices.map((one) => ({ value: one.id, label: formatPointChoice(one) })),
          ]}
        />
      </FieldFrame>
      {moving && (
        <>
          <Coordinates at={moving.at} onMove={onMove} />
          <p role="status" className="text-body text-ink-soft">
            Faites glisser l’épingle, ou déplacez-la avec les flèches du clavier&nbsp;: 10&nbsp;m, ou 100&nbsp;m avec
            Maj.{' '}
            {hasExactPlace(moving)
              ? describeFarthestDistance(moving, others)
              : 'Son lieu exact n’est pas connu\u00a0: l’épingle attend que vous la posiez.'}
          </p>
          <div className="flex flex-wrap justify-end gap-2">
            <Button variant="quiet" onClick={() => onChoose(null)}>
              Annuler
            </Button>
            <Button disabled={!hasExactPlace(moving)} loading={place.isPending} onClick={() => void savePlace(moving)}>
              Enregistrer cette position
            </Button>
          </div>
        </>
      )}
    </section>
  )
}
