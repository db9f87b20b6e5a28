import type { ReactNode } from 'react'
import { drawingColours, type IsoPlane, type IsoPoint, projectPoint, toPolyline } from '../../components/drawing/iso.ts'
import {
  Box,
  Drawing,
  GroundPlate,
  getLeftWall,
  getRoofSlope,
  House,
  Meter,
  PlanePatch,
  SolarPanels,
  toSubPlane,
} from '../../components/drawing/solids.tsx'

const TOP = 3

const Table = () => {
  const legs: [number, number][] = [
    [1.2, 8.2],
    [10.6, 8.2],
    [10.6, 1.2],
  ]
  return (
    <>
      {legs.map(([x, y]) => (
        <Box key={`${x} ${y}`} at={[x, y, 0]} size={[0.4, 0.4, TOP - 0.3]} left={drawingColours.glass} />
      ))}
      <Box
        at={[0.8, 0.8, TOP - 0.3]}
        size={[10.6, 8.2, 0.3]}
        left={drawingColours.glass}
        right={drawingColours.shade}
      />
    </>
  )
}

/** The plan of the roof, and the sun's course on it. */
function RoofPlan() {
  const sheetPlane: IsoPlane = { origin: [1.6, 8.2, TOP], u: [5, 0, 0], v: [0, -3.6, 0] }
  const curve = [0, 0.7, 1.2, 1.4, 1.2, 0.7, 0].map(
    (height, index): IsoPoint => [2.2 + index * 0.62, 7.6 - height, TOP],
  )
  return (
    <>
      <PlanePatch plane={sheetPlane} part={[0, 0, 1, 1]} fill={drawingColours.light} />
      <path d={toPolyline(curve)} fill="none" stroke={drawingColours.sun} strokeWidth={2.6} />
      <path
        d={toPolyline([
          [2.1, 7.7, TOP],
          [6.1, 7.7, TOP],
        ])}
        fill="none"
        stroke={drawingColours.glass}
        strokeWidth={2}
      />
    </>
  )
}

function Laptop({ at: [x, y, z] }: { at: IsoPoint }) {
  const screen = { at: [x, y, z + 0.1], size: [2.8, 0.14, 1.9] } as const
  return (
    <>
      <Box {...screen} left={drawingColours.light} />
      <PlanePatch
        plane={toSubPlane(getLeftWall(screen), 0.06, 0.08, 0.88, 0.84)}
        part={[0, 0, 1, 1]}
        fill={drawingColours.panel}
      />
      {[0.16, 0.34, 0.52, 0.7].map((s, index) => (
        <PlanePatch
          key={s}
          plane={toSubPlane(getLeftWall(screen), s, 0.18, 0.12, [0.24, 0.5, 0.62, 0.34][index] ?? 0.3)}
          part={[0, 0, 1, 1]}
          fill={drawingColours.sun}
        />
      ))}
      <Box at={[x, y + 0.14, z]} size={[2.8, 1.7, 0.1]} top={drawingColours.mid} />
    </>
  )
}

const Lamp = ({ at }: { at: IsoPoint }) => {
  const [x, y] = projectPoint(at)
  return (
    <>
      <ellipse cx={x} cy={y} rx={14} ry={8} fill={drawingColours.glass} />
      <path d={`M${x} ${y}l-8 -62l34 -34`} fill="none" strokeWidth={2.4} />
      <path d={`M${x + 12} ${y - 104}l30 4l6 26l-22 -4z`} fill={drawingColours.sun} />
    </>
  )
}

/** A work table: the model of a house, its plan, its meter, its figures. */
export function DrawingTable({ className }: { className?: string }) {
  const model = { at: [7.2, 4.8, TOP], size: [2.6, 2.2, 1.3] } as const
  return (
    <Drawing
      viewBox="-216 -150 500 460"
      className={className}
      label="Une table de travail&nbsp;: la maquette d’une maison solaire, son plan, un ordinateur qui montre une courbe, un compteur."
    >
      <GroundPlate size={[12.2, 10.4]} />
      <Table />
      <Lamp at={[2.2, 1.8, TOP]} />
      <Laptop at={[5, 1.6, TOP]} />
      <RoofPlan />
      <House {...model} rise={1.2} />
      <SolarPanels plane={toSubPlane(getRoofSlope(model, 1.2), 0.08, 0.16, 0.84, 0.68)} cols={4} rows={2} />
      <PlanePatch plane={getLeftWall(model)} part={[0.62, 0, 0.84, 0.7]} fill={drawingColours.panel} />
      <PlanePatch plane={getLeftWall(model)} part={[0.14, 0.3, 0.44, 0.72]} fill={drawingColours.sun} />
      <Meter at={[10.4, 3, TOP]} />
    </Drawing>
  )
}

type Props = { className?: string }
type PortraitProps = Props & { label: string; coat: string; skin: string; hair: ReactNode; children: ReactNode }

/** A trade rather than a person: a head without features, a coat, and the tool of the trade. */
const Portrait = ({ className, label, coat, skin, hair, children }: PortraitProps) => (
  <Drawing viewBox="-150 -100 300 200" className={className} label={label}>
    <circle r={92} fill={drawingColours.cream} stroke="none" />
    <path d="M-66 92a66 62 0 0 1 132 0z" fill={coat} />
    <path d="M-14 14v24a14 10 0 0 0 28 0v-24z" fill={skin} />
    <ellipse cy={-12} rx={30} ry={35} fill={skin} />
    {hair}
    {children}
  </Drawing>
)

const shortHair = <path d="M-31 -16c-4-40 66-40 62 0c-8-14-18-18-31-18s-23 4-31 18z" fill={drawingColours.text} />
const longHair = (
  <path
    d="M-32 24c-10-28-12-76 32-76s42 48 32 76c-4-8-2-24-4-36c-10-4-18-8-24-16c-8 10-20 14-32 16c-2 12 0 28-4 36z"
    fill="#5b4636"
  />
)
const bunHair = (
  <>
    <circle cy={-54} r={13} fill="#2b2f3a" />
    <path d="M-31 -14c-4-42 66-42 62 0c-12-8-20-14-31-14s-19 6-31 14z" fill="#2b2f3a" />
  </>
)
const curlyHair = (
  <path
    d="M-32 -8c-14-10-6-24 0-28c0-16 20-22 32-14c12-8 32-2 32 14c8 6 12 18 0 28c-2-12-12-18-32-18s-30 6-32 18z"
    fill="#3b2a20"
  />
)
const helmetHair = (
  <>
    <path d="M-34 -20a34 30 0 0 1 68 0z" fill={drawingColours.sun} />
    <path d="M-42 -20h84" fill="none" strokeWidth={5} stroke={drawingColours.sun} strokeLinecap="round" />
    <path d="M-42 -17h84M-6 -49v20M6 -49v20" fill="none" strokeWidth={1.2} />
  </>
)
const greyHair = (
  <path d="M-31 -10c-8-46 70-46 62 0c-2-12-6-18-12-22c-12 6-28 6-38 0c-6 4-10 10-12 22z" fill={drawingColours.glass} />
)

const PaperSheet = ({ children }: { children: ReactNode }) => (
  <g transform="translate(56 22) rotate(6)">
    <rect x={0} y={0} width={56} height={66} rx={3} fill={drawingColours.light} />
    {children}
  </g>
)

export const SolarEngineer = ({ className }: Props) => (
  <Portrait
    className={className}
    label="Portrait dessiné&nbsp;: une personne casquée tient un panneau solaire."
    coat={drawingColours.roof}
    skin="#e8b98f"
    hair={helmetHair}
  >
    <g transform="translate(46 20) skewY(-8)" stroke={drawingColours.panelLine}>
      <rect width={70} height={62} fill={drawingColours.panel} />
      <path d="M0 21h70M0 42h70M23 0v62M46 0v62" fill="none" />
    </g>
  </Portrait>
)

export const Modeller = ({ className }: Props) => (
  <Portrait
    className={className}
    label="Portrait dessiné&nbsp;: une personne tient une feuille où monte une courbe."
    coat={drawingColours.panel}
    skin="#8d5a3b"
    hair={curlyHair}
  >
    <PaperSheet>
      <path d="M8 52c8 0 10-34 20-34s12 34 20 34" fill="none" stroke={drawingColours.sun} strokeWidth={3} />
      <path d="M8 56h40" fill="none" stroke={drawingColours.glass} />
    </PaperSheet>
  </Portrait>
)

export const Jurist = ({ className }: Props) => (
  <Portrait
    className={className}
    label="Portrait dessiné&nbsp;: une personne tient un code relié."
    coat="#334155"
    skin="#f1cdab"
    hair={bunHair}
  >
    <path d="M-12 40l12 16l12-16" fill={drawingColours.light} />
    <g transform="translate(50 26)">
      <rect width={54} height={66} rx={3} fill={drawingColours.sun} />
      <path d="M8 0v66" fill="none" />
      <path d="M18 16h26M18 26h18" fill="none" stroke={drawingColours.light} strokeWidth={3} />
    </g>
  </Portrait>
)

export const Developer = ({ className }: Props) => (
  <Portrait
    className={className}
    label="Portrait dessiné&nbsp;: une personne devant un ordinateur portable."
    coat={drawingColours.surplus}
    skin="#e8b98f"
    hair={shortHair}
  >
    <path d="M-50 92l8-46h84l8 46z" fill={drawingColours.light} />
    <circle cy={70} r={6} fill={drawingColours.sun} />
  </Portrait>
)

export const Designer = ({ className }: Props) => (
  <Portrait
    className={className}
    label="Portrait dessiné&nbsp;: une personne tient le dessin d’un écran."
    coat="#b9c9de"
    skin="#c98f68"
    hair={longHair}
  >
    <PaperSheet>
      <rect x={8} y={9} width={40} height={9} fill={drawingColours.glow} stroke="none" />
      <rect x={8} y={24} width={17} height={32} fill={drawingColours.mid} />
      <rect x={30} y={24} width={18} height={14} fill={drawingColours.leaf} />
    </PaperSheet>
  </Portrait>
)

export const Adviser = ({ className }: Props) => (
  <Portrait
    className={className}
    label="Portrait dessiné&nbsp;: une personne au casque téléphonique."
    coat={drawingColours.panelLine}
    skin="#f1cdab"
    hair={greyHair}
  >
    <path d="M-34 -8a34 40 0 0 1 68 0" fill="none" strokeWidth={4} />
    <rect x={-41} y={-14} width={13} height={24} rx={5} fill={drawingColours.text} />
    <rect x={28} y={-14} width={13} height={24} rx={5} fill={drawingColours.text} />
    <path d="M34 10c0 16-12 20-24 20" fill="none" strokeWidth={3} />
  </Portrait>
)
