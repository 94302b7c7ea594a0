// advice: loop-order data: image set: textbook
// Mean of an image in one flat vector, column by column; afterwards row by row.
#include <cstdio>
#include <vector>

static const int width = 5000, height = 3000, rounds = 3;

__attribute__((noipa)) static double mean(const std::vector<float> &image)
{
	double sum = 0;

#ifdef AFTER
	for (int y = 0; y < height; y++)
		for (int x = 0; x < width; x++)
#else
	for (int x = 0; x < width; x++)
		for (int y = 0; y < height; y++)
#endif
			sum += image[(size_t)y * width + x];
	return sum / width / height;
}

int main()
{
	std::vector<float> image((size_t)width * height);
	double all = 0;

	for (size_t i = 0; i < image.size(); i++)
		image[i] = i % 251;
	for (int r = 0; r < rounds; r++)
		all += mean(image);
	std::printf("%g\n", all);
	return 0;
}
