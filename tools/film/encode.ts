import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Encodes frames to an H.264 file that every browser plays.
 *
 * The colours are tagged BT.709, because players otherwise guess, and the film's background would differ from the page's. The
 * index (moov atom) is at the start, so that playback begins before the download ends.
 */
export function startEncoding(file: string, framesPerSecond: number) {
  const ffmpeg = spawn(
    'ffmpeg',
    ['-y', '-loglevel', 'error', ...input(framesPerSecond), ...OUTPUT, file],
    {
      stdio: ['pipe', 'inherit', 'inherit'],
    },
  );
  const closed = once(ffmpeg, 'close');
  return {
    async add(png: Uint8Array): Promise<void> {
      if (!ffmpeg.stdin.write(png)) await once(ffmpeg.stdin, 'drain');
    },
    async finish(): Promise<void> {
      ffmpeg.stdin.end();
      const [code] = await closed;
      if (code !== 0) throw new Error(`ffmpeg ended with ${code}`);
    },
  };
}

const input = (framesPerSecond: number) => [
  ...['-f', 'image2pipe', '-c:v', 'png', '-framerate', String(framesPerSecond), '-i', '-'],
];

const BT709 = ['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709'];
const OUTPUT = [
  ...['-vf', 'scale=out_color_matrix=bt709:out_range=tv,format=yuv420p', ...BT709],
  // Few key frames, because the film has flat colours and long holds. The quality keeps thin lines clean.
  ...['-c:v', 'libx264', '-profile:v', 'high', '-preset', 'slow', '-tune', 'animation'],
  ...['-crf', '26', '-g', '240', '-an', '-movflags', '+faststart'],
  ...['-map_metadata', '-1', '-fflags', '+bitexact', '-flags:v', '+bitexact'],
];
