import type { Report } from '../../src/model/report.ts';
import { cgroupReport } from './cgroup.ts';
import { healthyReport } from './healthy.ts';
import { hostileReport } from './hostile.ts';
import { severalReport } from './several.ts';
import { undecidedReport } from './undecided.ts';

export { cgroupReport, healthyReport, hostileReport, severalReport, undecidedReport };

export const sampleReports: Readonly<Record<string, Report>> = {
  cgroup: cgroupReport,
  several: severalReport,
  undecided: undecidedReport,
  healthy: healthyReport,
  hostile: hostileReport,
};
