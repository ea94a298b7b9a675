const MOST_IN_SHORT_FORM = 0xffff;

/** A zip of equal, stored members; beyond 65,535 of them their number stands in the long form of the directory's end. */
export function manyEntryZip(entries: number, body: Buffer): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  const name = (index: number) => Buffer.from(`${String(index).padStart(6, '0')}.log`);
  const localLength = 30 + 10 + body.length;
  for (let index = 0; index < entries; index++) {
    const local = Buffer.alloc(30);
    local.write('PK\x03\x04', 'latin1');
    writeSizes(local, 4, body.length);
    locals.push(local, name(index), body);
    const central = Buffer.alloc(46);
    central.write('PK\x01\x02', 'latin1');
    central.writeUInt16LE(0x0314, 4);
    writeSizes(central, 6, body.length);
    central.writeUInt32LE((0o100644 << 16) >>> 0, 38);
    central.writeUInt32LE(index * localLength, 42);
    directory.push(central, name(index));
  }
  return Buffer.concat([...locals, ...directory, endOf(entries, entries * localLength)]);
}

function writeSizes(record: Buffer, at: number, size: number): void {
  record.writeUInt16LE(20, at);
  record.writeUInt32LE(size, at + 14);
  record.writeUInt32LE(size, at + 18);
  record.writeUInt16LE(10, at + 22);
}

function endOf(entries: number, directoryStart: number): Buffer {
  const directorySize = entries * 56;
  const long = Buffer.alloc(56);
  long.write('PK\x06\x06', 'latin1');
  long.writeBigUInt64LE(44n, 4);
  long.writeBigUInt64LE(BigInt(entries), 24);
  long.writeBigUInt64LE(BigInt(entries), 32);
  long.writeBigUInt64LE(BigInt(directorySize), 40);
  long.writeBigUInt64LE(BigInt(directoryStart), 48);
  const locator = Buffer.alloc(20);
  locator.write('PK\x06\x07', 'latin1');
  locator.writeBigUInt64LE(BigInt(directoryStart + directorySize), 8);
  locator.writeUInt32LE(1, 16);
  const short = Buffer.alloc(22);
  short.write('PK\x05\x06', 'latin1');
  short.writeUInt16LE(Math.min(entries, MOST_IN_SHORT_FORM), 8);
  short.writeUInt16LE(Math.min(entries, MOST_IN_SHORT_FORM), 10);
  short.writeUInt32LE(directorySize, 12);
  short.writeUInt32LE(directoryStart, 16);
  return Buffer.concat([long, locator, short]);
}
